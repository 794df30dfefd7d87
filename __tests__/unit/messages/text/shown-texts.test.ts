import { describe, expect, it } from '@jest/globals'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { showLog, showTexts } from '../../../../src/messages/text/shown-texts.ts'

function hiding(...values: string[]): Secrets {
  const secrets = new Secrets(() => undefined)
  for (const value of values) secrets.add(value)
  return secrets
}

const hide = (...values: string[]) => hiding(...values).show

it('a text of an object has no secret', () => {
  const texts = { url: 'https://github.com/s3cr3t', sha: undefined, ref: '' }
  expect(showTexts(texts, hide('s3cr3t'))).toEqual({ ...texts, url: 'https://github.com/***' })
})

describe('a log', () => {
  it('is shown as in a terminal, without control characters and secrets', () => {
    expect(showLog('1 %\rno s3cr3t\none\0two\n', hide('s3cr3t'))).toBe('no ***\nonetwo\n')
  })

  it.each([
    ['a progress bar', '1 %\r50 %\r100 %\ndone\n', '100 %\ndone\n'],
    ['one that erases its line at the end', '1 %\r100 %\r\u001b[2K\ndone\n', '100 %\ndone\n'],
    ['line breaks of Windows', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['a bar that has not ended', 'one\n10 %\r', 'one\n10 %'],
    ['a line of only carriage returns', 'one\n\r\r\r\ntwo', 'one\n\ntwo'],
  ])('has the last state of each line: %s', (_what, log, shown) => {
    expect(showLog(log, (text) => text)).toBe(shown)
  })
})
