import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/execution/cause.ts'

const log = (...lines: string[]): string => lines.join('\n')
const frame = '  File "/app/rows.py", line 7, in main'
const place = { frame: { file: '/app/rows.py', line: 7 } }

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

  it('includes the source line if the exception has no words', () => {
    const text = 'AssertionError: assert len(rows) > 0'
    const carets = '           ^^^^^^^^^^^^^'
    const lines = [frame, '    assert len(rows) > 0', carets, 'AssertionError']
    expect(findCause(log(...lines))).toEqual({ text, ...place })
    expect(findCause(log(frame, 'AssertionError'))?.text).toBe('AssertionError')
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
  })
})

describe('a traceback without a message is none', () => {
  it('because the log was cut off', () => {
    expect(findCause(log(frame, '    main()'))).toEqual({ text: 'main()', isLastLine: true })
  })
})

describe('an exception group', () => {
  it('has the cause of its last exception', () => {
    const group = [
      '  + Exception Group Traceback (most recent call last):',
      `  | ${frame}`,
      '  | ExceptionGroup: several (1 sub-exception)',
      '  +-+---------------- 1 ----------------',
      '    | TypeError: no rows',
      '    +------------------------------------',
    ]
    expect(findCause(log(...group))).toEqual({ text: '| TypeError: no rows' })
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
      expect(cause).toEqual({ text: 'KeyError: 1', frame: { file, line: 3 } })
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
    expect(cause).toEqual({ text: 'KeyError: 1', frame: { file: library, line: 88 } })
  })
})
