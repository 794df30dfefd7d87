import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/cause/find-cause.ts'

const textOf = (...lines: string[]) => findCause(lines.join('\n'))?.text

describe('compilers and installers print the cause first', () => {
  it('so the first of their lines is the cause', () => {
    expect(textOf('a.ts(1,7): error TS1: one', 'a.ts(2,9): error TS2: two', 'build failed')).toBe(
      'a.ts(1,7): error TS1: one',
    )
    expect(textOf('npm error code E404', 'npm error 404 one', 'npm error two')).toBe(
      'npm error 404 one',
    )
  })
})

describe('the members of an object that is printed with an exception', () => {
  const members = ["  code: 'E',", '', '  error: undefined']

  it.each([
    ['behind its frames', ['Error: no days', '    at main (a.js:1:1) {']],
    ['behind its words', ['Error: no days {']],
  ])('are no candidates %s', (_, lines) => {
    expect(textOf(...lines, ...members, '}', 'bye')).toBe(lines[0])
    expect(textOf(...lines, ...members, '  x failed', '}', 'y failed')).toBe(lines[0])
  })

  it('are ordinary lines without the closing brace, or far below', () => {
    expect(textOf('TypeError: no days {', '  the job failed', 'bye')).toContain('failed')
    const many = Array<string>(500).fill('  a: 1')
    expect(textOf('TypeError: no days {', ...many, '  x failed', '}')).toBe('x failed')
    expect(textOf('TypeError: no days {', ...many.slice(2), '  x failed', '}')).not.toBe('x failed')
  })

  it('do not follow an ordinary line', () => {
    expect(textOf('the answer is {', '  error: no days', '}')).toContain('error: no days')
  })

  it('end with the brace', () => {
    expect(textOf('TypeError: no days {', '  a: 1', '}', 'x failed')).toBe('x failed')
  })

  it('say what is wrong, if they are JSON', () => {
    const reason = '        "error": "no days",'
    expect(textOf('a.RowsError: {', '    "rows": [', reason, '    ]', '}', 'bye')).toBe(
      'a.RowsError: no days',
    )
    expect(textOf('fatal: [a]: FAILED! => {', '    "msg": "no host"', '}')).toBe(
      'fatal: [a]: FAILED! => no host',
    )
    expect(textOf('a.RowsError: {', '    "rows": 1', '}', '{', reason, '}')).toBe('a.RowsError: {')
  })
})

describe('the stack of another language below a line', () => {
  it('adds its exception', () => {
    expect(textOf('ERROR boom', 'java.io.IOException: a', '\tat Main.main(Main.java:1)')).toBe(
      'boom; java.io.IOException: a',
    )
    expect(textOf('ERROR boom', 'java.io.IOException: a', 'bye')).toBe('boom')
  })

  it('adds its last cause', () => {
    const stack = ['\tat A.a(A.java:1)', 'Caused by: b', '\tat B.b(B.java:1)', 'Caused by: c']
    expect(textOf('ERROR boom', 'java.io.IOException: a', ...stack)).toBe('boom; c')
    expect(textOf('ERROR boom', 'bye', ...stack)).toBe('boom')
  })

  it('adds its last cause as Node prints it', () => {
    const causes = ['  [cause]: Error: refused {', '    [cause]: Error: no route', '  }', '}']
    expect(textOf('TypeError: boom', '    at a (a.js:1:1) {', ...causes)).toBe(
      'TypeError: boom; Error: no route',
    )
    expect(textOf('TypeError: boom', '    at a (a.js:1:1) {', causes[0] ?? '', '  }', '}')).toBe(
      'TypeError: boom; Error: refused',
    )
  })

  it.each([
    ['several', ['    0: a', '    1: b', '', '    2: c'], 'b'],
    ['one', ['    a', 'bye'], 'a'],
  ])('adds the last of %s causes of Rust', (_, causes, cause) => {
    expect(textOf('Error: boom', '', 'Caused by:', ...causes)).toBe(`Error: boom; ${cause}`)
  })
})

describe('a summary of pytest', () => {
  const whole = 'E       AssertionError: assert 100 == 101'

  it('that was cut has the words of the whole line', () => {
    expect(textOf(whole, 'FAILED a.py::b - AssertionError: assert 10...')).toBe(
      'FAILED a.py::b - AssertionError: assert 100 == 101',
    )
  })

  it.each([['FAILED a.py::b - AssertionError: assert 10'], ['FAILED a.py::b - OSError: 1...']])(
    'stays as it is: %s',
    (summary) => {
      expect(textOf(whole, summary)).toBe(summary)
    },
  )
})
