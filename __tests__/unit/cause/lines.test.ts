import { describe, expect, it } from '@jest/globals'
import { critical, error, warning } from '../../../src/cause/levels.ts'
import { readLines } from '../../../src/cause/lines.ts'

const read = (line: string) => readLines(line)[0]
const texts = (...lines: string[]) => readLines(lines.join('\n')).map(({ text }) => text)
const escape = '\u001b'
const info = 2

describe('before a line of a log, a timestamp is left out', () => {
  it.each([
    ['2026-11-20T03:00:00Z boom'],
    ['2026-11-20 03:00:00 boom'],
    ['2026-11-20T03:00:00.123456789Z boom'],
    ['2026-11-20 03:00:00,123 boom'],
    ['2026-11-20T03:00:00+01:00 boom'],
    ['2026-11-20T03:00:00-0530 boom'],
    ['2026-11-20 03:00:00 UTC boom'],
    [' 2026-11-20T03:00:00Z boom'],
    ['[2026-11-20 03:00:00] boom'],
    ['[2026-11-20, 03:00:00 UTC] boom'],
    ['[2026-11-20 03:00:00 +0000] boom'],
    ['[20/Nov/2026 03:00:00] boom'],
    ['2026/11/20 03:00:00 boom'],
    ['2026-11-20 03:00:00 - boom'],
    ['2026-11-20 03:00:00 | boom'],
    ['2026-11-20 03:00:00 : boom'],
    ['2026-11-20 03:00:00,123;boom'],
    ['03:00:00.123 | boom'],
    ['Nov 20 03:00:00 boom'],
    ['<14>1 2026-11-20T03:00:00Z boom'],
    ['time=2026-11-20T03:00:00Z boom'],
  ])('%s', (line) => {
    expect(read(line)).toMatchObject({ text: 'boom', isStamped: true })
  })

  it('and the text behind it keeps its indentation', () => {
    expect(read('2026-11-20T03:00:00Z   boom')?.text).toBe('  boom')
  })

  it('if nothing follows it', () => {
    expect(read('2026-11-20T03:00:00Z')?.text).toBe('')
  })

  it.each([
    ['since 2026-11-20T03:00:00Z boom'],
    ['2026-11-20 boom'],
    ['03:00 boom'],
    ['2026-11-20T03:00:00ms boom'],
  ])('and no more than that: %s', (line) => {
    expect(read(line)).toMatchObject({ text: line, isStamped: false })
  })
})

describe('the level of a line is', () => {
  it.each([
    ['ERROR boom', error],
    ['[error] boom', error],
    ['[error    ] boom', error],
    ['[WARN] - boom', warning],
    ['[info]: boom', info],
    ['[debug]| boom', 1],
    ['WARNING: boom', warning],
    ['ERROR:    boom', error],
    ['FATAL - boom', critical],
    ['CRITICAL| boom', critical],
    ['CRITICAL\t2026-11-20 03:00:00,123\tboom', critical],
    ['info: boom', info],
    ['Warning: boom', warning],
    ['level=error boom', error],
    ['2026-11-20 03:00:00 - shop - INFO - boom', info],
    ['2026-11-20 03:00:00 [shop.spider] ERROR: boom', error],
    ['[2026-11-20 03:00:00 +0000] [15] [ERROR] boom', error],
    ['[2026-11-20 03:00:00,123: ERROR/MainProcess] boom', error],
    ['[2026-11-20 03:00:00,123 ERROR shop.feed:7] boom', error],
    ['[2026-11-20T03:00:00Z INFO  shop] boom', info],
    ['2026-11-20 03:00:00 | SUCCESS  | boom', info],
    ['report-1  | 2026-11-20 03:00:00,123 ERROR boom', error],
    ['F1126 03:00:00.123456 140253178809216 main.py:6] boom', critical],
    ['W1126 03:00:00.123456   140 main.py:6] boom', warning],
    ['[E 261126 03:00:00 main:6] boom', error],
    ['[I 2026-11-26 03:00:00.123 ServerApp] boom', info],
    ['2026-11-20 03:00:00,123 [D] boom', 1],
    ['[C] boom', critical],
  ])('taken off: %s', (line, level) => {
    expect(read(line)).toMatchObject({ level })
    expect(read(line)?.text.trim()).toBe('boom')
  })

  it('that of its first word, and a timestamp may follow it', () => {
    expect(read('[info] ERROR boom')?.level).toBe(info)
    expect(read('a ERROR [info] boom')?.level).toBe(error)
    expect(read('INFO 03:00:00 boom')).toMatchObject({ text: 'boom', isStamped: true })
    expect(read('INFO boom')).toMatchObject({ text: 'boom', isStamped: false })
    expect(read('INFO unexpected ]')?.text).toBe('unexpected ]')
  })

  it.each([
    ['south: ERROR boom', error],
    ['shop | ERROR | boom', error],
    ['the [error] boom', error],
  ])('seen behind other words, which may matter: %s', (line, level) => {
    expect(read(line)).toMatchObject({ text: line, level })
  })

  it.each([
    ['Error: boom'],
    ['error: boom'],
    ['ERRORS boom'],
    ['[errors] boom'],
    ['MY_ERROR boom'],
    ['an.ERROR boom'],
    ['rows[E] boom'],
    ['[X] boom'],
    ['[e] boom'],
    [`${'x'.repeat(99)} ERROR boom`],
  ])('not in the words: %s', (line) => {
    expect(read(line)).toMatchObject({ text: line, level: undefined })
  })

  it.each(['[error]', 'ERROR', 'ERROR:', 'ERROR    '])('none without a text: %s', (line) => {
    expect(read(line)).toMatchObject({ text: '', level: undefined })
  })
})

describe('a line of a log', () => {
  it('has no colours and no other controls of a terminal', () => {
    const controls = ['[0m', '[38;5;196m', '[?25l', '[2K', '[0 q', '[1~']

    expect(texts(controls.map((control) => `${escape}${control}b`).join(''))).toEqual(['bbbbbb'])
    expect(texts(`2026-11-20 03:00:00 ${escape}[1;31mERROR${escape}[0m boom`)).toEqual(['boom'])
  })

  it('ends with LF or CRLF, and begins anew at a carriage return', () => {
    expect(texts('a', 'b\r', ' 1 %\r 99 %\rdone\r', '\r \r', 'c')).toEqual([
      'a',
      'b',
      'done',
      '',
      'c',
    ])
  })

  it('has nothing of what Kubernetes puts in front of it', () => {
    const lines = [
      '2026-11-20T03:00:00.123456789Z stderr F   boom',
      '2026-11-20T03:00:00Z stdout P x',
    ]
    expect(texts(...lines, '2026-11-20T03:00:00.1+01:00 stdout F y')).toEqual(['  boom', 'x', 'y'])
    const inside = 'in 2026-11-20T03:00:00Z stdout F x'
    expect(texts(inside)).toEqual([inside])
  })

  it('has nothing of what BuildKit puts in front of it', () => {
    expect(texts('#9 0.512   boom', '#12 100.1 x', '#0 main () at a.c:7', 'in #9 0.5 x')).toEqual([
      '  boom',
      'x',
      '#0 main () at a.c:7',
      'in #9 0.5 x',
    ])
  })

  it('is read up to 4000 characters', () => {
    expect(read('x'.repeat(4_001))?.text).toHaveLength(4_000)
  })

  it('has no mark of the byte order at the beginning', () => {
    expect(texts('\ufeffboom')).toEqual(['boom'])
    expect(texts('bo\ufeffom')).toEqual(['bo\ufeffom'])
  })
})

describe('what is in front of a heading is a prefix of the next lines', () => {
  const heading = 'Traceback (most recent call last):'

  it.each([
    ['report-1  | '],
    ['2026-11-20T03:00:00.123Z [pod/report] '],
    ['Nov 20 03:00:00 host report[77]: '],
    ['2026-11-20 03:00:00,123 ERROR '],
    ['(a) [b] '],
  ])('%s', (prefix) => {
    const later = prefix.replace('03', '14').replace('.123', '.45')
    const lines = [`${prefix}${heading}`, `${later}  File`, later.trimEnd(), `${later}KeyError: 1`]
    expect(texts(...lines, 'bye', `${later}x`)).toMatchObject([
      heading,
      '  File',
      '',
      'KeyError: 1',
      'bye',
      expect.stringMatching('x'),
    ])
  })

  it('whose level is the level of these lines', () => {
    const prefix = '2026-11-20 03:00:00,123 ERROR '
    expect(readLines(`${prefix}${heading}\n${prefix}boom\nbye`)).toMatchObject([
      { level: error },
      { level: error, isStamped: false },
      { level: undefined },
    ])
  })

  it('unless it is too long for one', () => {
    const long = `${'x'.repeat(201)} `
    expect(texts(`${long}${heading}`, `${long}b`)).toEqual([`${long}${heading}`, `${long}b`])
  })
})

describe('a JSON object', () => {
  it.each([
    ['{"level":"error","message":"boom"}'],
    ['{"msg":"boom","severity":"ERROR"}'],
    ['{"event":"boom","levelname":"ERROR"}'],
    ['{ "log.level":"error","message":"boom"}'],
    ['{"log_level":"ERROR","errorMessage":"boom"}'],
    ['{"log":"{\\"level\\":\\"error\\",\\"message\\":\\"boom\\"}\\n","stream":"stdout"}'],
    ['2026-11-20T03:00:00Z stdout F {"level":"error","message":"boom"}'],
    ['report-1  | {"level":"error","message":"boom"}'],
    ['report-1 |{"level":"error","message":"boom"}'],
    ['report[77]: {"level":"error","message":"boom"}'],
    ['Nov 20 03:00:00 host report[77]: {"level":"error","message":"boom"}'],
  ])('gives its level and its text: %s', (line) => {
    expect(read(line)).toMatchObject({ text: 'boom', level: error, isStamped: true })
  })

  it('gives its reason', () => {
    expect(texts('{"event":"upload_failed","reason":"quota"}')).toEqual(['upload_failed: quota'])
    expect(texts('{"event":"upload_failed","error":"quota"}')).toEqual(['upload_failed: quota'])
  })

  it.each([
    ['text', '{"text":"boom","a":null,"b":5}'],
    ['log', '{"log":"boom\\n","stream":"stderr"}'],
    ['textPayload', '{"textPayload":"boom"}'],
    ['message, with spaces around the object', '  { "message":"boom"}  '],
  ])('may have its text in %s', (_, line) => {
    expect(texts(line)).toEqual(['boom'])
    expect(read(line)).toMatchObject({ level: undefined, isStamped: false })
  })

  it.each([
    ['without a text', '{"a":1}'],
    ['far behind the beginning', `${'x'.repeat(198)} | {"message":"x"}`],
    ['before other words', '{"message":"x"} x'],
    ['of other braces', 'report-1  | {a} {"message":"x"}'],
    ['that is broken', '{"message":x}'],
    ['that is cut off', '{"message":"x"'],
    ['behind other words', 'answer {"message":"x"}'],
  ])('%s is an ordinary line', (_, line) => {
    expect(texts(line)).toEqual([line])
  })

  it('is no longer sought after 1000 broken objects', () => {
    const lines = [...Array<string>(1_000).fill('{"a":x}'), '{"message":"x"}']
    expect(texts(...lines.slice(1)).at(-1)).toBe('x')
    expect(texts(...lines).at(-1)).toBe('{"message":"x"}')
  })

  const files = ['  File "/app/a.py", line 2', '  File "/app/b.py", line 3']
  const frames = [
    { filename: '/app/a.py', lineno: 2 },
    { file: '/app/b.py', lineno: 3 },
  ]
  const traceback = ['Traceback (most recent call last):', ...files, 'E: 1']

  it.each([
    ['as a text', { exc_info: traceback.join('\n') }],
    ['in its message', { message: ['boom', ...traceback].join('\n') }],
    ['in a member of a member', { error: { stack: traceback.join('\n') } }],
    ['in parts', { exc: { exc_type: 'E', exc_value: '1', frames } }],
    ['with null beside it', { a: null, b: [null, 5], exc_info: traceback.join('\n') }],
    ['deep inside', { a: { b: { c: { d: traceback.join('\n') } } } }],
    ['in other parts', { error: { type: 'E', message: '1', stack_trace: files.join('\n') } }],
    [
      'as AWS Lambda writes it',
      { errorType: 'E', errorMessage: '1', stackTrace: files.map((file) => `${file}\n`) },
    ],
  ])('has its traceback below it: %s', (_, members) => {
    expect(texts(JSON.stringify({ level: 'error', message: 'boom', ...members }))).toEqual([
      'boom',
      ...traceback,
    ])
  })

  it.each([
    ['too deep inside', { a: { b: { c: { d: { e: { f: traceback.join('\n') } } } } } }],
    ['of frames without an exception', { exc: { frames: [{ filename: '/app/a.py', lineno: 2 }] } }],
    ['of an exception without frames', { exc: { exc_type: 'E', exc_value: '1' } }],
    ['of frames that are none', { exc: { exc_type: 'E', exc_value: '1', frames: 5 } }],
  ])('has no traceback %s', (_, members) => {
    expect(texts(JSON.stringify({ level: 'error', message: 'boom', ...members }))).toEqual(['boom'])
  })

  it('has the exception that was raised last below the others', () => {
    const raised = (name: string) => ({ exc_type: name, exc_value: '', frames: [{}] })
    const lines = texts(JSON.stringify({ message: 'boom', e: [raised('Last'), raised('First')] }))
    expect(lines.filter((line) => /^\w+:$/.test(line))).toEqual(['First:', 'Last:'])
  })
})

it.each([
  ['by a collector', 'boom Traceback (most recent call last):\\n  File "a"\\nE: 1'],
  ['with CRLF', 'boom Traceback (most recent call last):\\r\\n  File "a"\\r\\nE: 1'],
  ['by rsyslog', 'boom Traceback (most recent call last):#012  File "a"#012E: 1'],
])('a traceback is unfolded that was folded %s', (_, line) => {
  const [heading, ...more] = texts(line)
  expect(heading).toContain('Traceback (most recent call last)')
  expect(more).toEqual(['  File "a"', 'E: 1'])
})

it('a folded traceback ends at its quote', () => {
  const line = 'exc="Traceback (most recent call last):\\n  File \\"a\\"\\nE: 1" sku=b'
  expect(texts(line).slice(1)).toEqual(['  File "a"', 'E: 1'])
})

describe('a drawn box', () => {
  it('has a title that is a heading, and indented lines', () => {
    expect(texts('╭─ Error ───╮', '│ No days.  │', '╰───────────╯')).toEqual([
      'Error:',
      '    No days.',
      '',
    ])
    expect(texts('╔══════╗', '║ Look ║', '╚══════╝')).toEqual(['', '    Look', ''])
  })

  it('may be a traceback of rich', () => {
    const box = [
      '  ╭─ Traceback (most recent call last) ─╮',
      '  │ /app/a.py:3 in read  │',
      '  │    2               │',
      '  │ ❱  3 │   x()       │',
      '  │    4 │ y = 1       │',
    ]
    expect(texts(...box)).toEqual([
      '  Traceback (most recent call last):',
      '    File "/app/a.py", line 3',
      '      2',
      '      ❱  3 │   x()',
      '      4 │ y = 1',
    ])
  })

  it.each([
    ['│ a.py:3 in x │', '    a.py:3 in x'],
    ['│ see /a.py:3 in x │', '    see /a.py:3 in x'],
    ['│ C:\\a.py:12 in x │', '  File "C:\\a.py", line 12'],
    ['│   12 │ x │', '    12 │ x'],
    ['│      │', ''],
    ['╭──╮', ''],
  ])('%s', (line, text) => {
    expect(texts(line)).toEqual([text])
  })

  it('is closed on both sides', () => {
    expect(texts('│ loguru', '└ 5')).toEqual(['│ loguru', '└ 5'])
  })
})

describe('a traceback of IPython', () => {
  it('is written as CPython writes it', () => {
    const lines = [
      'KeyError                     Traceback (most recent call last)',
      'Cell In[2], line 12',
      '      1 import rows',
      '----> 12 rows.read()',
      '',
      'File /app/my rows.py:7, in read(row)',
      'File C:\\app\\main.py:8',
      "KeyError: 'price'",
    ]
    expect(texts(...lines)).toEqual([
      'Traceback (most recent call last)',
      '  File "Cell In[2]", line 12',
      '      1 import rows',
      '    rows.read()',
      '',
      '  File "/app/my rows.py", line 7',
      '  File "C:\\app\\main.py", line 8',
      "KeyError: 'price'",
    ])
  })

  it.each([
    ['a File /app/a.py:7'],
    ['File /app/a.py:7 is too long'],
    ['File /app/a.py:'],
    ['File "/app/a.py:7'],
    ['In Cell In[2], line 12'],
    ['Cell In[x], line 12'],
    ['a ----> 12 b'],
    ['----> b'],
  ])('is not: %s', (line) => {
    expect(texts(line)).toEqual([line])
  })
})

it('the lines of an exception group have no margin', () => {
  const group = [
    '  + Exception Group Traceback (most recent call last):',
    '  |   File "a"',
    '  +-+---------------- 1 ----------------',
    '    | E: 1',
    '    +------------------------------------',
    'bye | all',
    '  | bye',
  ]
  expect(texts(...group)).toEqual([
    'Traceback (most recent call last):',
    '  File "a"',
    '',
    'E: 1',
    '',
    'bye | all',
    '  | bye',
  ])
})

describe('a line without words of its own', () => {
  it('takes the next line that is not blank as its words', () => {
    const [, , line] = readLines('ERROR:\n\n  boom\nbye')
    expect(line).toMatchObject({ text: 'boom', level: error })
    const panic = "thread 'main' (7) panicked at src/main.rs:8:30:"
    expect(texts(panic, 'no rate', 'bye')).toEqual(['', `${panic} no rate`, 'bye'])
  })

  it('takes none that has a level of its own, and no drawn line', () => {
    expect(readLines('ERROR\nINFO boom\nbye').map(({ level }) => level)).toEqual([
      undefined,
      info,
      undefined,
    ])
    expect(readLines('ERROR\n*****\nboom').at(-1)).toMatchObject({ text: 'boom', level: error })
  })

  it('may have the head of a logger', () => {
    const head = '2026-11-20 03:00:00.123 ERROR 1 --- [           main] o.s.b.App   :'
    expect(texts(`${head} boom`)).toEqual(['boom'])
    expect(readLines(`${head}\nboom`).at(-1)).toMatchObject({ text: 'boom', level: error })
    expect(texts('E, [2026-11-28T11:13:30.937426 #18810] ERROR -- : boom')).toEqual(['boom'])
  })
})

describe('the level of a JSON object', () => {
  it.each([
    [10, 1],
    [30, info],
    [40, warning],
    [50, error],
    [60, critical],
    [35, undefined],
  ])('may be a number of pino: %s', (number, level) => {
    expect(read(`{"level":${number},"msg":"boom"}`)?.level).toBe(level)
  })

  it('is that of its text if no member has one', () => {
    expect(read('{"log":"ERROR boom\\n"}')).toMatchObject({ text: 'boom', level: error })
  })
})

it('the stack of another language in a JSON object stands below its text', () => {
  const stack = 'Error: no days\n    at main (a.js:3:4)'
  expect(texts(JSON.stringify({ msg: 'boom', err: { message: 'no days', stack } }))).toEqual([
    'boom',
    'Error: no days',
    '    at main (a.js:3:4)',
  ])
  expect(texts(JSON.stringify({ message: stack, stack }))).toEqual(stack.split('\n'))
})
