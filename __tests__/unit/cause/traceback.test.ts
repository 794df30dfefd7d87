import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/cause/find-cause.ts'

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

  it.each([
    ['after a colon', ['OperationalError:', 'no such table'], 'OperationalError: no such table'],
    [
      'that are indented',
      ['ScannerError: bad', '  in "a.yml"', '  here', '  more'],
      'ScannerError: bad; in "a.yml"; here',
    ],
    ['after a colon', ['RowError: two:', '  - a', '  - b', '  - c'], 'RowError: two: - a; - b'],
    ['after a colon', ['RowError:', 'one', 'two', 'three'], 'RowError: one; two'],
    ['up to the end of a list', ['RowError: two:', '  - a', 'bye'], 'RowError: two: - a'],
  ])('is completed by at most two lines %s', (_, lines, text) => {
    expect(findCause(log(frame, ...lines))).toEqual({ text, ...place })
  })

  it.each([
    ['a note', 'in row 5'],
    ['a blank line', '', '  no such table'],
    ['a heading', 'Traceback (most recent call last):'],
    ['a frame', '    at main (/app/main.js:1:1)'],
    ['noise', '  Exception ignored in: <f>'],
    ['a line with a timestamp', '2026-11-20 03:00:00   more'],
    ['a line with a level', 'INFO   more'],
  ])('is not completed by %s', (name, ...lines) => {
    const text = name === 'a note' ? 'RowError: bad' : 'RowError: bad:'
    expect(findCause(log(frame, text, ...lines))?.text).toBe(text)
  })

  it('includes the line of code if the words of Selenium are empty', () => {
    const text = 'TimeoutException: Message'
    const lines = [frame, '    wait.until(loaded)', `${text}: `, 'Stacktrace:', '#0 0x55d']
    expect(findCause(log(...lines))?.text).toBe(`${text}: wait.until(loaded)`)
  })

  it.each([
    ['ValueError: no rows'],
    ['errors.LoginFailed'],
    ['UngültigerPreis: Zeile 3'],
    ['main.<locals>.RowError: 1'],
    ['ray.exceptions.RayTaskError(ValueError): 1'],
  ])('begins with the name of an exception: %s', (text) => {
    expect(findCause(log(frame, text))).toEqual({ text, ...place })
  })

  it.each([['END of the run: 1'], ['12:30 bye'], ['- a'], ['INFO Done']])(
    'is not any line: %s',
    (line) => {
      expect(findCause(log(frame, line))?.frame).toBeUndefined()
    },
  )

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

  it('has no timestamp if the frames have none, and the other way round', () => {
    const time = '2026-11-20 03:00:00 '
    expect(findCause(log(frame, `${time}KeyError: 1`))?.frame).toBeUndefined()
    expect(findCause(log(`${time}${frame}`, `${time}KeyError: 1`))).toEqual({
      text: 'KeyError: 1',
      ...place,
    })
  })

  it('may follow a heading without a frame', () => {
    const heading = '  Traceback (most recent call last)'
    expect(findCause(log(heading, '    x', '  KeyError: 1', 'Error: no days'))?.text).toBe(
      'KeyError: 1',
    )
    expect(
      findCause(log('Traceback (most recent call last):', 'a b', 'Error: no days'))?.text,
    ).toBe('Error: no days')
  })

  it('has no line of code that is not indented more than its frame', () => {
    expect(findCause(log(frame, '  main()', 'KeyError'))?.text).toBe('KeyError')
  })

  it('stays as it is at the end of the log', () => {
    expect(findCause(log(frame, 'OperationalError:'))?.text).toBe('OperationalError:')
  })

  it('keeps its own bars', () => {
    expect(findCause(log(frame, 'ValueError:', '| 1 | 2 |'))?.text).toBe('ValueError: | 1 | 2 |')
    const odd = '  File "/app/a|b.py", line 7, in main'
    expect(findCause(log(odd, 'ValueError:', '| 1 | 2 |'))?.text).toBe('ValueError: | 1 | 2 |')
  })
})

describe('a traceback without a message has that of the error above', () => {
  const heading = 'Traceback (most recent call last):'

  it('as AWS Lambda writes it', () => {
    expect(findCause(log('[ERROR] KeyError: 1', heading, frame, 'END RequestId: 6b2f'))).toEqual({
      text: 'KeyError: 1',
      ...place,
    })
  })

  it.each([
    ['is no error', '[INFO] KeyError: 1'],
    ['has no level', 'KeyError: 1'],
  ])('but not if it %s', (_, above) => {
    expect(findCause(log(above, heading, frame, 'END RequestId: 6b2f'))?.frame).toBeUndefined()
  })
})

describe('a traceback without a message is none', () => {
  it('because the log was cut off', () => {
    expect(findCause(log(frame, '    main()'))).toEqual({ text: 'main()', isLastLine: true })
  })
})

describe('an exception group', () => {
  const group = (...inside: string[]) =>
    findCause(
      log(
        '  + Exception Group Traceback (most recent call last):',
        `  | ${frame}`,
        `  | ExceptionGroup: several (${inside.length} sub-exceptions)`,
        ...inside,
        '    +------------------------------------',
        'bye',
      ),
    )
  const raised = [
    '    | Traceback (most recent call last):',
    '    |   File "/app/sub.py", line 3, in sub',
    '    | KeyError: 1',
  ]

  it('has the cause and the place of an exception that was raised', () => {
    const place = { file: '/app/sub.py', line: 3 }
    const second = ['    +---------------- 2 ----------------', '    | TypeError: 2']
    expect(group('  +-+---------------- 1 ----------------', ...raised, ...second)).toEqual({
      text: 'KeyError: 1',
      frame: place,
    })
  })

  it('has the place of the group if the exception was not raised', () => {
    expect(group('  +-+---------------- 1 ----------------', '    | TypeError: no rows')).toEqual({
      text: 'TypeError: no rows',
      ...place,
    })
  })

  it('may have a group inside', () => {
    const inner = [
      '  +-+---------------- 1 ----------------',
      '    | ExceptionGroup: inner (1 sub-exception)',
      '    +-+---------------- 1 ----------------',
      '      | KeyError: 1',
    ]
    expect(group(...inner)?.text).toBe('KeyError: 1')
  })

  it.each([['KeyError: (2 sub-exceptions) lost'], ['KeyError: 12 sub-exceptions']])(
    'is no exception that speaks of groups: %s',
    (text) => {
      expect(group('  +-+---------------- 1 ----------------', `    | ${text}`)?.text).toBe(text)
    },
  )

  it('is the cause if the log ends before its exceptions', () => {
    expect(
      findCause(
        log(
          '  + Exception Group Traceback (most recent call last):',
          `  | ${frame}`,
          '  | ExceptionGroup: a (1 sub-exception)',
        ),
      ),
    ).toEqual({
      text: 'ExceptionGroup: a (1 sub-exception)',
      ...place,
    })
  })
})

describe('a chain of exceptions', () => {
  const first = [frame, 'requests.HTTPError: 503']
  const direct = 'The above exception was the direct cause of the following exception:'
  const context = 'During handling of the above exception, another exception occurred:'
  const second = (text: string) => [
    'Traceback (most recent call last):',
    '  File "/app/b.py", line 3',
    text,
  ]

  it.each([
    ['words', 'UploadError: no'],
    ['another exception in its words', 'RowError: in <a> b'],
    ['another exception and words', 'RowError: <a> b'],
    ['another exception in some words', 'RowError: a: <a>'],
  ])('ends with the cause, which has %s', (_, text) => {
    const frame = { file: '/app/b.py', line: 3 }
    expect(findCause(log(...first, '', direct, '', ...second(text)))).toEqual({ text, frame })
  })

  it.each([
    ['tenacity.RetryError: RetryError[<Future raised HTTPError>]', 'tenacity.RetryError'],
    ['RetryError: [<Future>]', 'RetryError'],
    ['RetryError: <Future>', 'RetryError'],
  ])(
    'has the words and the place of the first exception if it names only that: %s',
    (text, name) => {
      expect(findCause(log(...first, '', direct, '', ...second(text)))).toEqual({
        text: `${name}: requests.HTTPError: 503`,
        ...place,
      })
    },
  )

  it('has the place of the first exception if that is raised again', () => {
    const again = second('requests.HTTPError: 503')
    expect(findCause(log(...first, '', direct, '', ...again))?.frame).toEqual(place.frame)
  })

  describe('in which a handler raised the second exception', () => {
    const library = '  File "/usr/lib/python3.12/urllib/request.py", line 9, in open'
    const inLibrary = [...second('').slice(0, -1), library, 'URLError: refused']
    const chain = (earlier: readonly string[], later: readonly string[]) =>
      findCause(log(...earlier, '', context, '', ...later))

    it('ends with the cause if own code raised it', () => {
      expect(chain(first, second('KeyError: <Key>'))).toEqual({
        text: 'KeyError: <Key>',
        frame: { file: '/app/b.py', line: 3 },
      })
    })

    it('begins with the cause if the handler failed in a library', () => {
      expect(chain(first, inLibrary)).toEqual({ text: 'requests.HTTPError: 503', ...place })
    })

    it.each([
      ['no own frame', [library, 'OSError: 111']],
      ['only a task that was cancelled', [frame, 'asyncio.exceptions.CancelledError']],
    ])('ends with the cause if the first exception has %s', (_, earlier) => {
      expect(chain(earlier, inLibrary)?.text).toBe('URLError: refused')
    })
  })
})

describe('faulthandler', () => {
  it('prints the innermost frame first, and other threads before the current one', () => {
    const dump = [
      'Fatal Python error: Segmentation fault',
      '',
      'Thread 0x1 (most recent call first):',
      '  File "/app/other.py", line 2 in wait',
      '',
      'Current thread 0x2 (most recent call first):',
      '  File "/usr/lib/python3.12/ctypes/__init__.py", line 525 in string_at',
      '  File "/app/rows.py", line 7 in main',
      '  File "/app/main.py", line 9 in <module>',
      '',
      'Thread 0x3 (most recent call first):',
      '  File "/app/last.py", line 2 in wait',
      'Extension modules: numpy (total: 1)',
      'run.sh: line 2: 7 Segmentation fault (core dumped) python main.py',
    ]
    expect(findCause(log(...dump))).toEqual({
      text: 'Fatal Python error: Segmentation fault',
      ...place,
    })
  })

  it('prints the main thread last, if a program takes too long', () => {
    const dump = [
      'Thread 0x1 (most recent call first):',
      '  File "/app/other.py", line 2 in wait',
      '',
    ]
    const main = ['Thread 0x2 (most recent call first):', frame]
    expect(findCause(log('Timeout (0:00:05)!', ...dump, ...main))).toEqual({
      text: 'Timeout (0:00:05)!',
      ...place,
    })
  })

  it('is not the words of a program', () => {
    expect(findCause(log('in Timeout (5)', frame, 'KeyError: 1'))?.text).toBe('KeyError: 1')
    expect(findCause(log('Fatal Python error: x', 'Bad thread', frame, 'KeyError: 1'))?.text).toBe(
      'KeyError: 1',
    )
  })

  it('Windows fatal exception: access violation', () => {
    const text = 'Windows fatal exception: access violation'
    expect(findCause(log(text, 'Current thread 0x1 (most recent call first):', frame))).toEqual({
      text,
      ...place,
    })
  })

  it('has the words of a fatal line directly above, and includes the line of the shell', () => {
    const dump = [
      'Fatal Python error: Aborted',
      '',
      'Current thread 0x1 (most recent call first):',
      frame,
      '',
      'Extension modules: numpy (total: 1)',
      'run.sh: line 2:     7 Aborted                 (core dumped) python main.py',
    ]
    expect(findCause(log('FATAL no rows', ...dump))).toEqual({ text: 'no rows', ...place })
    expect(findCause(log('ERROR no rows', ...dump))?.text).toBe('Fatal Python error: Aborted')
  })

  it('prints no frame if Python did not start', () => {
    const text = "ModuleNotFoundError: No module named 'encodings'"
    const lines = [
      'Python runtime state: core initialized',
      text,
      '',
      'Current thread 0x1 (most recent call first):',
      '  <no Python frame>',
    ]
    expect(findCause(log('Fatal Python error: init_fs_encoding: failed', ...lines))).toEqual({
      text,
    })
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
  it.each([
    ['/app/a<b>.py'],
    ['/app/a.pyx.py'],
    ['/app/lib/python/rows.py'],
    ['/app/python/lib/rows.py'],
  ])('are those of the automation in %s', (file) => {
    const cause = findCause(log(frame, `  File "${file}", line 3, in inside`, 'KeyError: 1'))
    expect(cause).toEqual({ text: 'KeyError: 1', frame: { file, line: 3 } })
  })

  it('are not those of the script of a command', () => {
    const script = ['  File "/opt/bin/report", line 8, in <module>', '    sys.exit(main())']
    const library = '  File "/opt/lib/python3.12/site-packages/report.py", line 3, in main'
    expect(findCause(log(...script, library, 'KeyError: 1'))).toEqual({ text: 'KeyError: 1' })
  })

  it.each([['<string>'], ['<stdin>']])('are in %s only if there is no file', (file) => {
    const inside = `  File "${file}", line 3, in inside`
    expect(findCause(log(frame, inside, 'KeyError: 1'))).toEqual({ text: 'KeyError: 1', ...place })
    const library = '  File "/usr/lib/python3.12/ast.py", line 3, in parse'
    expect(findCause(log(inside, library, 'KeyError: 1'))?.frame).toEqual({ file, line: 3 })
  })

  it.each([
    ['', ['ValueError: no rows']],
    [', which was cut off', []],
  ])('do not include those of the traceback before%s', (_, message) => {
    const library = '/usr/lib/python3.12/runpy.py'
    const cause = findCause(
      log(
        'Traceback (most recent call last):',
        frame,
        ...message,
        'Traceback (most recent call last):',
        `  File "${library}", line 88, in _run_code`,
        'KeyError: 1',
      ),
    )
    expect(cause).toEqual({ text: 'KeyError: 1', frame: undefined })
  })
})
