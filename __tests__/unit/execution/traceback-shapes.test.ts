import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/execution/cause.ts'

const log = (...lines: string[]): string => lines.join('\n')
const frame = '  File "/app/rows.py", line 7, in main'
const place = { file: '/app/rows.py', line: 7 }

describe('the message of a traceback', () => {
  it('follows blank lines and lines with the indentation of frames', () => {
    const repeated = '  [Previous line repeated 996 more times]'
    const text = 'RecursionError: too deep'
    expect(findCause(log(frame, '    main()', repeated, ' ', `${text}  `))).toEqual({
      text,
      ...place,
    })
  })

  it('is completed by the next line only if it is the name of an exception', () => {
    const text = 'RuntimeError: while reading:'
    expect(findCause(log(frame, text, 'row 5'))).toEqual({ text, ...place })
  })

  it('is completed by the first line with words', () => {
    const text = 'OperationalError: no such table'
    expect(findCause(log(frame, 'OperationalError:', '   ', ' no such table '))?.text).toBe(text)
  })

  it('of a group is found behind lines with only a bar', () => {
    const grouped = '|   File "/app/rows.py", line 7, in main'
    const text = 'ValueError: no rows'
    expect(findCause(log(grouped, '|', '| ValueError: no rows'))).toEqual({ text, ...place })
  })

  it.each([
    [
      'a sub-exception with a traceback',
      [
        '    | Traceback (most recent call last):',
        '    |   File "/app/feed.py", line 2, in one',
      ].concat('    |     raise ValueError("no rows")', '    | ValueError: no rows'),
      { text: 'ValueError: no rows', file: '/app/feed.py', line: 2 },
    ],
    ['a sub-exception without one', ['    | KeyError: 1'], { text: 'KeyError: 1', ...place }],
    [
      'a group in a group',
      [
        '    | ExceptionGroup: inner (1 sub-exception)',
        '    +-+---------------- 1 ----------------',
        "      | KeyError: 'x'",
        '      +------------------------------------',
      ],
      { text: 'ExceptionGroup: inner (1 sub-exception)', ...place },
    ],
  ])('of a group counts its sub-exceptions and shows the first: %s', (_, member, first) => {
    const group = [
      '  + Exception Group Traceback (most recent call last):',
      `  | ${frame}`,
      '  |     raise ExceptionGroup("several", errors)',
      '  | ExceptionGroup: several (2 sub-exceptions)',
      '  +-+---------------- 1 ----------------',
      ...member,
      '    +---------------- 2 ----------------',
      '    | TypeError: b',
      '    +------------------------------------',
    ]
    const text = `ExceptionGroup: several (2 sub-exceptions): ${first.text}`
    expect(findCause(log(...group))).toEqual({ ...first, text })
    expect(findCause(log(...group, 'bye', frame, 'OSError: later'))?.text).toBe('OSError: later')
  })

  it('includes the source line if the exception has no words', () => {
    const text = 'AssertionError: assert len(rows) > 0'
    const carets = '           ^^^^^^^^^^^^^'
    const lines = [frame, '    assert len(rows) > 0', carets, 'AssertionError']
    expect(findCause(log(...lines))).toEqual({ text, ...place })
    expect(findCause(log(frame, 'AssertionError'))?.text).toBe('AssertionError')
    const barred = lines.map((line) => `  | ${line}`)
    expect(findCause(log(...barred))?.text).toBe(text)
  })

  it.each(['1 validation error', '12 validation errors'])(
    'of pydantic includes the next two lines after %s',
    (count) => {
      const words = [
        `pydantic_core._pydantic_core.ValidationError: ${count} for Row`,
        'name',
        "  Field required [type=missing, input_value={'price': 'free'}, input_type=dict]",
      ]
      const more = '    For further information visit https://errors.pydantic.dev/2.14/v/missing'
      expect(findCause(log(frame, ...words, more, 'price'))?.text).toBe(
        words.map((line) => line.trim()).join('; '),
      )
      expect(findCause(log(frame, ...words.slice(0, 2), ''))?.text).toBe(`${words[0]}; name`)
    },
  )

  it('stays as it is at the end of the log', () => {
    expect(findCause(log(frame, 'OperationalError:'))?.text).toBe('OperationalError:')
  })

  it('keeps its own bars', () => {
    expect(findCause(log(frame, 'ValueError:', '| 1 | 2 |'))?.text).toBe('ValueError: | 1 | 2 |')
    const odd = '  File "/app/a|b.py", line 7, in main'
    expect(findCause(log(odd, 'ValueError:', '| 1 | 2 |'))?.text).toBe('ValueError: | 1 | 2 |')
    const grouped = '  |   File "/app/rows.py", line 7, in main'
    expect(findCause(log(grouped, 'ValueError: a | b'))?.text).toBe('ValueError: a | b')
  })
})

describe('the stack of Node', () => {
  const frames = [
    '    at read (/app/node_modules/rows/index.js:9:3)',
    '    at load (/app/load.js:1:25)',
    '    at Module._compile (node:internal/modules/cjs/loader:1521:14)',
  ]

  it.each([
    ['a CommonJS module', frames, { file: '/app/load.js', line: 1 }],
    ['an ES module', ['    at file:///app/y.mjs:12:7'], { file: '/app/y.mjs', line: 12 }],
    ['Windows', ['    at f (C:\\app\\x.js:3:7)'], { file: 'C:\\app\\x.js', line: 3 }],
    ['Node alone', frames.slice(2), {}],
    ['other lines', ['done', ...frames], {}],
    ['text after a frame', ['    at file:///app/y.mjs:2:7 and more'], {}],
  ])('gives file and line: %s', (_, stack, expected) => {
    const text = 'TypeError: no rows'
    expect(findCause(log(text, ...stack, '', 'Node.js v24.0.0'))).toEqual({ text, ...expected })
  })

  it('names the error, not its cause', () => {
    const lines = ['Error: rows', '    at file:///app/y.mjs:2:7 {', '  [cause]: RangeError: inner']
    expect(findCause(log(...lines, ...frames, '}'))?.text).toBe('Error: rows')
  })
})

describe('a traceback without a message is none', () => {
  it('because the log was cut off', () => {
    expect(findCause(log(frame, '    main()'))).toEqual({ text: 'main()', isLastLine: true })
  })

  it('because its group was closed', () => {
    const closed = log('|   File "/app/rows.py", line 7, in main', '+----------------')
    expect(findCause(closed)).toEqual({ text: '+----------------', isLastLine: true })
  })
})

describe('a line with a file and a number is no frame of a traceback', () => {
  it.each([
    ['behind other words', '  see File "/app/rows.py", line 7'],
    ['before other words', '  File "/app/rows.py", line 7 is too long'],
    ['without a number', '  File "/app/rows.py", line seven'],
    ['without a file', '  File "", line 7'],
  ])('%s', (_, line) => {
    expect(findCause(log(line, 'bye'))).toEqual({ text: 'bye', isLastLine: true })
  })
})

describe('the frames of a traceback', () => {
  it.each([['/app/a<b>.py'], ['/app/lib/python/rows.py'], ['/app/python/lib/rows.py']])(
    'are those of the automation in %s',
    (file) => {
      const cause = findCause(log(frame, `  File "${file}", line 3, in inside`, 'KeyError: 1'))
      expect(cause).toEqual({ text: 'KeyError: 1', file, line: 3 })
    },
  )

  it('do not include those of the traceback before', () => {
    const library = '/usr/lib/python3.12/runpy.py'
    const cause = findCause(
      log(
        'Traceback (most recent call last):',
        frame,
        'ValueError: no rows',
        'Traceback (most recent call last):',
        `  File "${library}", line 88, in _run_code`,
        'KeyError: 1',
      ),
    )
    expect(cause).toEqual({ text: 'KeyError: 1', file: library, line: 88 })
  })
})
