import { describe, expect, it } from '@jest/globals'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { messageOutput, showJson, showLog } from '../../../../src/messages/text/shown-texts.ts'

function hiding(...values: string[]): Secrets {
  const secrets = new Secrets(() => undefined)
  for (const value of values) secrets.add(value)
  return secrets
}

const hide = (...values: string[]) => {
  const secrets = hiding(...values)
  return (text: string) => secrets.show(text)
}

describe('a foreign JSON value', () => {
  it('has a secret hidden in texts, keys and numbers, however deep', () => {
    const value = { kind: '123456', '123456': [[{ deep: 123456 }], 'a 123456'] }

    expect(showJson(value, hide('123456'))).toEqual({
      kind: '***',
      '***': [[{ deep: '***' }], 'a ***'],
    })
  })

  it.each([[null], [true], [0], [1.5], [''], [[]], [{}], [[null, { a: [false] }]]])(
    '%j without a secret is the same',
    (value) => {
      expect(showJson(value, hide('123456'))).toStrictEqual(value)
    },
  )
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

describe('the output message', () => {
  it('has at most 4,000 characters of the service’s message', () => {
    expect(messageOutput('é'.repeat(5_000), hiding().show)).toHaveLength(4_000)
  })

  it('contains no part of a secret at its end', () => {
    const secrets = hiding('s3cr3t-value')

    expect(messageOutput(`${'x'.repeat(3_994)}s3cr3t-value`, secrets.show)).toMatch(/^x*\*\*\*$/)
  })
})
