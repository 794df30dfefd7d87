import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/cause/find-cause.ts'

const log = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n')
const textOf = (...parts: readonly (string | readonly string[])[]) => findCause(log(...parts))?.text
const raised = (exception: string) => [
  'Traceback (most recent call last):',
  '  File "/app/main.py", line 7, in main',
  '    run()',
  exception,
]

describe('the cause comes before what stands in the same log', () => {
  // Each line comes before all lines below it, wherever they are in the log.
  const order = [
    'CRITICAL The account is blocked',
    raised('KeyError: 1'),
    'panic: runtime error',
    'a.ts(1,7): error TS1: one',
    'ERROR The list is empty',
    'error: no rows',
    'the job failed',
    'rows.csv is missing',
    'npm error 404 Not Found',
    'Done: 1 failed',
    'Terminated',
    ['Task exception was never retrieved', ...raised('OSError: noise')],
    'INFO The last line',
    'exit code: 1',
  ]
  const causes = order.map(
    (lines) =>
      [lines]
        .flat()
        .at(-1)
        ?.replace(/^[A-Z]{4,} /, '') ?? '',
  )

  it.each(causes.map((cause, index) => ({ cause, index })))('$cause', ({ cause, index }) => {
    const [first = '', ...others] = order.slice(index)
    // A critical line counts only after the traceback.
    if (index > 0) expect(textOf(first, '', ...others)).toBe(cause)
    expect(textOf(...others.toReversed(), '', first)).toBe(cause)
  })

  it('and is the last of its kind', () => {
    expect(textOf(raised('KeyError: 1'), raised('KeyError: 2'))).toBe('KeyError: 2')
    expect(textOf('ERROR one', 'ERROR two')).toBe('two')
    expect(textOf('CRITICAL one', 'CRITICAL two')).toBe('two')
  })

  it('but no critical line before a traceback', () => {
    expect(textOf('CRITICAL soon', raised('KeyError: 1'))).toBe('KeyError: 1')
  })
})

describe('a stop was asked for', () => {
  const stops = [['Terminated'], ['[INFO] Handling signal: term']]

  it.each(stops)('is the cause after a traceback that a logger wrote: %s', (line) => {
    const text = line.replace('[INFO] ', '')
    expect(textOf('ERROR row 17', raised('KeyError: 1'), line, 'bye')).toBe(text)
    expect(textOf('INFO row 17', raised('KeyError: 1'), line, 'bye')).toBe('KeyError: 1')
    expect(textOf('ERROR row 17', line, raised('KeyError: 1'), 'bye')).toBe('KeyError: 1')
  })

  it.each(stops)('is the cause if the log has no other: %s', (line) => {
    expect(textOf(line, 'bye')).toBe(line.replace('[INFO] ', ''))
    expect(textOf('rows.csv is missing', line)).toBe('rows.csv is missing')
  })
})

describe('an exception that only tells how something else ended', () => {
  const wrapper = raised("CalledProcessError: Command 'node' returned non-zero exit status 1.")

  it.each([
    ["CalledProcessError: Command 'node' returned non-zero exit status 1."],
    ["CalledProcessError: Command 'node' died with <Signals.SIGABRT: 6>."],
    ['RuntimeError: node exited with code 1'],
    ['InFailedSqlTransaction: current transaction is aborted, commands ignored'],
    ['torch.distributed.elastic.multiprocessing.errors.ChildFailedError:'],
  ])('is no cause if the text above says more: %s', (exception) => {
    expect(findCause(log('Error: no days', '    at main', '', ...raised(exception)))).toEqual({
      text: 'Error: no days',
      frame: { file: '/app/main.py', line: 7 },
    })
    expect(textOf('loading', raised(exception))).toBe(exception)
  })

  it('has the place of a traceback above', () => {
    const frame = { file: '/app/rows.py', line: 3 }
    const above = ['  File "/app/rows.py", line 3, in read', 'KeyError: 1']
    expect(findCause(log(...above, ...wrapper))).toEqual({ text: 'KeyError: 1', frame })
  })

  it('gives way to a traceback that a logger has relayed', () => {
    const above = raised('KeyError: 1').map((line) => `03:00:00 INFO - ${line}`)
    expect(textOf(above, '03:00:00 INFO - exited', wrapper)).toBe('KeyError: 1')
    expect(textOf('INFO - next', raised('KeyError: 1'), 'INFO - exited', wrapper)).toBe(
      wrapper.at(-1),
    )
  })

  it.each([
    ['before a harmless line', ['Error: no days', 'INFO next']],
    ['51 lines above', ['Error: no days', ...Array<string>(50).fill('')]],
    ['in the line that introduces it', ['2026-11-20 03:00:00 ERROR The step failed']],
  ])('is the cause if the other error is %s', (_, above) => {
    expect(textOf(above, wrapper)).toBe(wrapper.at(-1))
  })

  it.each([
    ['ValueError: exit 3 is closed'],
    ['HTTPError: the server returned 12'],
    ['WorkerLostError: Worker exited prematurely: signal 9 (SIGKILL) Job: 0.'],
  ])('is not: %s', (exception) => {
    expect(textOf('Error: no days', raised(exception))).toBe(exception)
  })
})

describe('a test of pytest that failed', () => {
  const failed = 'FAILED test_rows.py::test_read - assert 1 == 2'

  it('has the place below the line with its words', () => {
    const places = [
      'test_a.py:5: OSError',
      'E  assert 1 == 2',
      'rows.py:13: ValueError',
      'b.py:7: E',
    ]
    expect(findCause(log(...places, failed))).toEqual({
      text: failed,
      frame: { file: 'rows.py', line: 13 },
    })
  })

  it('has no place if no line names one', () => {
    expect(findCause(log(failed))).toEqual({ text: failed })
  })
})

it.each([
  ['trap: failed in line 5'],
  ['ERROR: current transaction is aborted, commands ignored'],
  ['ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/'],
])('a line that only tells an effect is no cause, unless the log has nothing else: %s', (line) => {
  expect(textOf('loading', line)).toBe('loading')
  expect(line.endsWith(textOf(line) ?? '?')).toBe(true)
})

it('an exit status comes before the last line if it has level ERROR', () => {
  const step = 'step 1 failed: exit status: 2'
  expect(textOf(`ERROR: ${step}`, 'bye')).toBe(step)
  expect(textOf(step, 'bye')).toBe('bye')
  expect(textOf('rows.csv is missing', `ERROR: ${step}`)).toBe('rows.csv is missing')
})

it.each([
  ['note: This error originates from a subprocess'],
  ['run.sh: line 2: 4711 Aborted              ./report'],
  ['error: metadata-generation-failed'],
  ['npm error path /app'],
  ['the job failed, see above'],
  ['1 of 3 ERROR creating sql table model shop.revenue [ERROR in 0.22s]'],
])('a line that points to others comes after a line that says why: %s', (line) => {
  expect(textOf('rows.csv is missing', line)).toBe('rows.csv is missing')
})

describe('noise is no cause:', () => {
  it.each([
    ['Exception ignored in: <function f>'],
    ['Exception ignored in atexit callback <function f>:'],
    ['Task exception was never retrieved'],
    ['2026-11-20 03:00:00 ERROR asyncio: Task exception was never retrieved'],
    ['--- Logging error ---'],
    ['Error in atexit._run_exitfuncs:'],
  ])('%s', (line) => {
    const chain = [
      raised('OSError: 1'),
      ['', 'During handling of the above exception, another exception occurred:', ''],
      raised('OSError: 2'),
    ]
    expect(textOf(raised('KeyError: 1'), line, 'future: <Task>', ...chain)).toBe('KeyError: 1')
    expect(textOf('Error: no days', line, ...chain)).toBe('Error: no days')
    expect(textOf(line, ...chain, raised('KeyError: 1'))).toBe('KeyError: 1')
  })

  it('the call stack of a logging error', () => {
    const stack = [
      'Call stack:',
      ...raised("Message: '%d %d'").slice(1),
      'Arguments: (KeyError(),)',
    ]
    expect(textOf('Error: no days', '--- Logging error ---', raised('TypeError: 1'), stack)).toBe(
      'Error: no days',
    )
  })

  it('an ignored exception without a traceback', () => {
    const ignored = ['Exception ignored in: <stdout>', 'BrokenPipeError: [Errno 32] Broken pipe']
    expect(textOf('Error: no days', ignored)).toBe('Error: no days')
    expect(textOf(ignored, 'Error: no days')).toBe('Error: no days')
    expect(textOf('Error: no days', ignored.slice(0, 1), 'BrokenPipeError')).toBe('Error: no days')
    expect(textOf('Error: no days', ignored.slice(0, 1), 'OSError:')).toBe('Error: no days')
    expect(textOf(ignored.slice(0, 1), 'a KeyError: 1')).toBe('a KeyError: 1')
    expect(textOf(ignored.slice(0, 1), 'KeyError2 KeyError: 1')).toBe('KeyError2 KeyError: 1')
  })

  it('the arguments of a logging error', () => {
    expect(textOf('Error: no days', 'Arguments: (KeyError(),)')).toBe('Error: no days')
    for (const line of ['bad Arguments: KeyError', 'a Call stack: error', 'Call stack: error']) {
      expect(textOf('loading', line, 'bye')).toBe(line)
    }
  })

  it('which may be described in two lines', () => {
    const described = ['Task exception was never retrieved', 'future: <Task', 'a']
    expect(textOf('Error: no days', described, raised('OSError: 1'))).toBe('Error: no days')
    expect(textOf('Error: no days', described, 'b', raised('OSError: 1'))).toBe('OSError: 1')
  })

  it('warnings of Python, with their line of code', () => {
    expect(textOf('Error: no days', 'sys:1: ResourceWarning: error')).toBe('Error: no days')
    expect(textOf('loading', 'in sys:1: an error', 'bye')).toBe('in sys:1: an error')
    const warned = ['/app/a.py:15: pandas.errors.DtypeWarning: error', '  an_error()']
    expect(textOf('loading', warned)).toBe('loading')
    expect(textOf('loading', warned, '  three columns')).toBe('three columns')
    expect(textOf('loading', warned.slice(0, 1), 'saving')).toBe('saving')
  })

  it.each([['Unclosed client session'], ['Task was destroyed but it is pending!']])(
    '%s, with the object that is meant',
    (line) => {
      const object = 'object: <Object exception=KeyError(1)>'
      expect(textOf('loading', line, object)).toBe('loading')
      expect(textOf('loading', line, object, 'OSError: 1')).toBe('loading')
      expect(textOf('loading', line, `an ${object}`)).toBe(`an ${object}`)
      expect(textOf(line, object, 'saving', 'OSError: 1')).toBe('OSError: 1')
    },
  )

  it('except a task that nobody awaited, which is all that its lines say', () => {
    const task = ['Task exception was never retrieved', 'future: <Task exception=KeyError(1)>']
    expect(textOf(task, raised('KeyError: 1'), 'bye')).toBe('KeyError: 1')
  })

  it('and a traceback further below belongs to no noise', () => {
    expect(
      textOf(
        'Exception ignored in: <f>',
        ['a', 'b', 'c', 'd', 'e'],
        raised('KeyError: 1'),
        'Error: 2',
      ),
    ).toBe('KeyError: 1')
    const twice = [raised('OSError: 1'), raised('KeyError: 1')]
    expect(textOf('Exception ignored in: <f>', ...twice)).toBe('KeyError: 1')
  })
})

describe('a traceback was handled', () => {
  const later = '2026-11-20 03:00:00 INFO row 18'

  it('if a warning introduces it, and a line with a level follows', () => {
    expect(textOf('WARNING row 17', raised('KeyError: 1'), later)).toBe('row 18')
    expect(
      textOf('Error: no days', 'WARNING row 17 failed', raised('KeyError: 1'), 'Error: 2', later),
    ).toBe('Error: no days')
  })

  it('if its own line has the level', () => {
    const logged = raised('KeyError: 1').map((line) => `WARNING ${line}`)
    expect(textOf(logged, later)).toBe('row 18')
    expect(textOf(logged, logged, 'Error: 2', later, 'x')).toBe('x')
  })

  it('if two have one introduction', () => {
    expect(textOf('WARNING row 17', raised('KeyError: 1'), raised('KeyError: 2'), later)).toBe(
      'row 18',
    )
  })

  it.each([
    ['no line with a level follows', ['WARNING row 17', ...raised('KeyError: 1'), 'bye']],
    ['an error introduces it', ['ERROR row 17', ...raised('KeyError: 1'), later]],
    [
      'a line with a timestamp is between',
      ['WARNING row 17', '03:00:00 row 18', ...raised('KeyError: 1'), later],
    ],
    [
      'only noise follows',
      [
        'WARNING row 17',
        ...raised('KeyError: 1'),
        'ERROR asyncio: Task exception was never retrieved',
        ...raised('OSError: 2'),
      ],
    ],
  ])('but not if %s', (_, lines) => {
    expect(textOf(lines)).toBe('KeyError: 1')
  })
})

describe('a traceback in a thread', () => {
  const inThread = ['Exception in thread Thread-1 (work):', ...raised('KeyError: 2')]

  it('comes after one that no line reports', () => {
    expect(textOf(raised('KeyError: 1'), inThread)).toBe('KeyError: 1')
  })

  it('comes before one that a warning reports', () => {
    expect(textOf('WARNING row 17', raised('KeyError: 1'), inThread)).toBe('KeyError: 2')
  })

  it('is the cause if there is no other', () => {
    expect(textOf(inThread)).toBe('KeyError: 2')
    expect(textOf('ERROR row 17', raised('KeyError: 1'), 'INFO go on', inThread)).toBe(
      'KeyError: 2',
    )
  })
})
