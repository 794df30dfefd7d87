import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/execution/cause.ts'

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
    'ERROR The list is empty',
    'Error: no days',
    'cp: cannot stat rows.csv',
    'Done: 1 failed',
    ['Exception ignored in: <f>', ...raised('OSError: noise')],
    'INFO The last line',
  ]
  const causes = [
    'The account is blocked',
    'KeyError: 1',
    'The list is empty',
    'Error: no days',
    'cp: cannot stat rows.csv',
    'Done: 1 failed',
    'OSError: noise',
    'The last line',
  ]

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

describe('a program was killed', () => {
  it.each([
    ['Killed'],
    ['run.sh: line 3:    14 Killed                  python main.py'],
    ['zsh: killed     python main.py'],
    ['Out of memory: Killed process 14 (python)'],
    ['the container was OOMKilled'],
    ['Stopping process with SIGKILL'],
  ])('%s', (line) => {
    expect(textOf(raised('KeyError: 1'), line, 'bye')).toBe(line)
  })

  it.each(['Killed 3 old sessions', 'INFO sent SIGKILL to the browser'])('and not: %s', (line) => {
    expect(textOf(raised('KeyError: 1'), line)).toBe('KeyError: 1')
  })
})

describe('a line that only tells an exit status', () => {
  it.each([
    ['exit code: 126'],
    ['report-1 exited with code 1'],
    ['Process exited with status 137'],
    ['python ended with 137'],
    ['make: *** [Makefile:3: run] Error 1'],
    ['Command failed with exit code 1.'],
    ['Command exited with non-zero status 1'],
    ['ERROR Task exited with return code 1'],
  ])('is no cause, unless the log has nothing else: %s', (line) => {
    expect(textOf('loading', line)).toBe('loading')
    expect(line.endsWith(textOf(line) ?? '?')).toBe(true)
  })

  it.each(['exited with code 1, rows.csv is empty', 'the server returned 503'])(
    'is not: %s',
    (line) => {
      expect(textOf('loading', line)).toBe(line)
    },
  )
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
  })

  it('warnings after the end', () => {
    expect(textOf('ERROR no days', 'sys:1: ResourceWarning: error')).toBe('no days')
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

  it('is the cause if there is no other', () => {
    expect(textOf(inThread)).toBe('KeyError: 2')
    expect(textOf('ERROR row 17', raised('KeyError: 1'), 'INFO go on', inThread)).toBe(
      'KeyError: 2',
    )
  })
})
