import { describe, expect, it } from '@jest/globals'
import { StepLog } from '../../sandbox/runner/step-log.ts'

function read(lines: string[], options: { debug?: boolean; secrets?: string[] } = {}): StepLog {
  const { debug = false, secrets = [] } = options
  const log = new StepLog({ debug, secrets, onLine: () => undefined })
  for (const line of lines) log.take(line)
  return log
}

describe('annotations', () => {
  it('are collected in order, with their properties', () => {
    const log = read([
      '::warning::first',
      '::error title=T,file=a.py,line=3::second',
      '##[notice]third',
    ])
    expect(log.annotations).toEqual([
      { level: 'warning', message: 'first' },
      { level: 'error', message: 'second', title: 'T', file: 'a.py', line: '3' },
      { level: 'notice', message: 'third' },
    ])
    expect(log.text).toBe('##[warning]first\n##[error]second\n##[notice]third\n')
  })
})

describe('masks', () => {
  it('hide a value from the line after their command on', () => {
    const log = read(['hunter2', '::add-mask::hunter2', 'it is hunter2, hunter2!'])
    expect(log.text).toBe('hunter2\nit is ***, ***!\n')
    expect(log.masks).toEqual(['hunter2'])
  })

  it('hide each line of a value', () => {
    expect(read(['::add-mask::first%0D%0Asecond', 'a first', 'a second']).text).toBe(
      'a ***\na ***\n',
    )
  })

  it('hide values that the runner knew before', () => {
    expect(read(['token abc'], { secrets: ['abc'] }).text).toBe('token ***\n')
  })
})

describe('stop-commands', () => {
  it('switches every command off until its token comes', () => {
    const log = read([
      '::stop-commands::a-token',
      '::error::not a command',
      'text ##[error]not a command',
      '::add-mask::text',
      '::stop-commands::b-token',
      '::b-token::',
      '::a-token::',
      '::error::a command',
    ])
    expect(log.annotations).toEqual([{ level: 'error', message: 'a command' }])
    expect(log.masks).toEqual([])
    expect(log.text).toContain('\n::error::not a command\ntext ##[error]not a command\n')
  })

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
