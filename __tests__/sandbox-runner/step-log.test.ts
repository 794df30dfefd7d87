import { describe, expect, it } from '@jest/globals'
import { StepLog } from '../../sandbox/runner/step-log.ts'

function read(lines: string[], options: { debug?: boolean; secrets?: string[] } = {}): StepLog {
  const { debug = false, secrets = [] } = options
  const log = new StepLog({ debug, secrets, onLine: () => undefined })
  for (const line of lines) log.take(line)
  return log
}

describe('masks', () => {
  it('hide each line of a value', () => {
    expect(read(['::add-mask::first%0D%0Asecond', 'a first', 'a second']).text).toBe(
      'a ***\na ***\n',
    )
  })

  it.each([
    ['one-1&two-22&three-3', 'one-1&two-22&-', '***-'],
    ['one-1&two-22&three-3', 'a three-3', 'a ***'],
    ['one-1&two-22&three-3', 'one-1, two-22', 'one-1, two-22'],
    ['one-1&+two-22&three-3', 'one-1&+- wo-22&three-3', '***- ***'],
    ['a&b', 'a, b', 'a, b'],
  ])('with an ampersand hide their pieces, if these have 6 characters: %s', (mask, text, shown) => {
    expect(read([`::add-mask::${mask}`, text]).text).toBe(`${shown}\n`)
  })
})

describe('stop-commands', () => {
  it('accepts its token in either form and whatever its case', () => {
    for (const end of ['::A-TOKEN::', 'text ##[a-token]', '::A-token::'])
      expect(read(['::stop-commands::A-token', end, '::error::on']).annotations).toHaveLength(1)
  })

  it('hides its token, so that later text cannot copy it', () => {
    expect(read(['::stop-commands::a-token', '::a-token::']).text).toBe(
      '::stop-commands::***\n::***::\n',
    )
  })

  it.each(['', 'error', 'pause-logging'])('refuses %j as a token', (token) => {
    const log = read([`::stop-commands::${token}`, '::warning::still on'])
    expect(log.annotations.map(({ level }) => level)).toEqual(['error', 'warning'])
  })
})
