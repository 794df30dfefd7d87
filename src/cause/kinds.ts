/**
 * The kinds of lines that a log may have. The first row that fits a line decides its kind, and the
 * rank of the kind decides how likely the line is the cause.
 */
import { critical, error, warning } from './levels.ts'

/**
 * The ranks of causes, the best first. If several lines have the best rank, the last one is the cause,
 * unless the rank says otherwise.
 */
export const ranks = [
  'ended', // The kernel, a limit or the program itself ended the process.
  'traceback',
  'crash', // The message of an uncaught exception of another language.
  'compiler', // Compilers print the cause first. Therefore, the first line counts.
  'errorLevel',
  'tool', // The message of a command-line tool.
  'failure', // A word of failure.
  'refusal', // A word of refusal or lack.
  'installer', // Also prints the cause first.
  'pointer', // Only counts failures, or points to other lines.
  'stop', // A stop was asked for.
  'task', // The traceback of a task that nobody awaited.
  'last',
  'status', // Only says an exit status, or an effect.
] as const

/** Lines of these ranks are never the cause. */
type Other = 'code' | 'noise' | 'remark'

export type Rank = (typeof ranks)[number] | Other

interface Words {
  text: string
  level: number | undefined
}

export interface Kind {
  rank: Rank
  name: string
  test: RegExp | ((line: Words) => boolean)
  /** A line of this kind, from a real log. */
  example: string
}

type Row = readonly [rank: Rank, name: string, test: Kind['test'], example: string]

// The order matters: `0 failed` is found before `failed`. No pattern may backtrack without a bound.
// prettier-ignore
const rows: readonly Row[] = [
  ['code', 'nothing to read', ({ text }) => !/[\p{L}\p{N}]/u.test(text), '-----'],
  ['code', 'shell command', /^\s*\+{1,9} /, '+ echo failed'],
  ['code', 'heading', /Traceback \(most recent call last\)/, 'Traceback (most recent call last):'],
  ['code', 'frame of Python', /^\s*(?:> )?File "[^"]{1,1000}", line \d+(?:,? in |$)/, '  File "main.py", line 7, in main'],
  ['failure', 'fatal error of Python', /Fatal Python error: |Windows fatal exception: |^Timeout \([\d:.]+\)!$/, 'Fatal Python error: Segmentation fault'],
  ['code', 'frame', /^\s*(?:at |from \S+:\d+:in |goroutine \d|created by |\.{3} \d+ )/, '    at fail (error.js:3:9)'],
  ['code', 'native frame', /^\s*(?:\d+: \S.*::|#\d+ |stack ?(?:trace|backtrace):$)/i, '  14: std::panic::catch_unwind'],
  ['code', 'quoted source', /^\s*[>→]? ?\d+ ?[|│]|^[\s~|-]*\^|^\S+: line \d+: `/, "  4 | throw new Error('bad')"],

  ['noise', 'ignored exception', /Exception ignored |Error in atexit\._run_exitfuncs/, 'Exception ignored in: <f>'],
  ['noise', 'lost task', /exception was never retrieved/, 'Task exception was never retrieved'],
  ['noise', 'logging error', /--- Logging error ---|^Call stack:$/, '--- Logging error ---'],
  ['remark', 'arguments of a logger', /^Arguments: /, 'Arguments: (KeyError(),)'],
  ['remark', 'unclosed client', /Unclosed (?:client session|connector)|Task was destroyed but|^[a-z_]+: <[a-z_.]*[A-Z][\w.]* /, 'Unclosed client session'],
  ['remark', 'warning of Python', /^\S.{0,500}:\d+: [\w.]*Warning: /, 'a.py:15: DtypeWarning: an error'],

  ['ended', 'critical level', ({ level }) => level === critical, 'CRITICAL disk full'],
  ['ended', 'killed by a signal', /(?:^(?:zsh:)?\s*|\] +|: +\d+ )(?:killed(?:$|\s{2})|segmentation fault|bus error)/i, 'run.sh: line 3:  14 Killed  a.py'],
  ['ended', 'out of memory', /\bkilled process \d|\boom-?killed\b|\bmemory (?:quota|limit)\b[^:]{0,40}\bexceeded\b/i, 'Out of memory: Killed process 14'],
  ['ended', 'SIGKILL', /\b(?:by|was sent|[Ss]ignal 9:?) \(?SIGKILL\b/, 'Worker (pid:7) was sent SIGKILL!'],

  ['pointer', 'lost crash of Rust', /^thread '.* panicked at .*Any \{ \.\. \}/, "thread 'main' panicked at a.rs:1:2: called `Result::unwrap()`: Any { .. }"],
  ['crash', 'uncaught exception', /^(?:terminate called |panic: |Exception in thread "|thread '.* panicked at |\S+\.rb:\d+:in .*\([\w:]+\)$)/, 'panic: runtime error: index out of range [5]'],

  ['status', 'exit status', /\b(?:exit(?:ed|ing)?|ended|returned|code|status|error)(?: with)?[:=]? \(?-?[12]?\d?\d\)?\.?$/i, 'exit code: 1'],
  ['status', 'effect of an error', /\btransaction is aborted\b|\bprevious errors?\b|\bexiting now$|\(code \d+\) at |\bFailed with result '/i, 'tar: Error: exiting now'],
  ['status', 'trap of a shell', /\b(?:error|failed|failure) (?:in|at|on|near) line \d+\.?$/i, 'trap: failed in line 5'],
  ['status', 'advice', /\bfor help visit\b|^(?:-> )?\[Help \d\]|^To see the full|\bfor more information\b|^\s*(?:run|try) ['"`]|^\(node:\d+\) (?:\[|\w+: Unhandled promise rejection\. )/i, 'ResolutionImpossible: for help visit https://pip.pypa.io'],

  ['pointer', 'note', /^\s*(?:note|hint): /, 'note: the error is in a subprocess'],
  ['pointer', 'aborted', /(?:^|: +\d+ |^rake )aborted!?(?: +\(core dumped\))?(?:$|\s{2})/i, 'Aborted (core dumped)'],
  ['pointer', 'last words of a tool', /^error: (?:[a-z]+(?:-[a-z]+)+$|failed to push|could not apply)|^× Encountered error|^Conversion failed!$|^(?:BEGIN failed--c|C)ompilation /, 'error: metadata-generation-failed'],
  ['pointer', 'name of a test file', /^\S+\.py$/, 'test_rows.py'],
  ['pointer', 'headline', /^[=_!*-]{3,} .* [=_!*-]{3,}$/, '=== 1 failed, 3 passed in 0.64s ==='],
  ['pointer', 'failed build', /^\W*(?:BUILD FAIL|FAILURE: Build|ninja: build stopped|APPLICATION FAILED|Failed to compile|Execution failed for|Task \S+ FAILED)/i, 'BUILD FAILED in 2s'],
  ['pointer', 'row of dbt', /\[ERROR in [\d.]+s\]/, '1 of 3 ERROR creating shop.a [ERROR in 0.22s]'],
  ['pointer', 'detail of npm', /^npm (?:error|ERR!)(?:$| (?:code|path|errno|syscall|command|gyp info) ?)/, 'npm error path /app'],
  ['installer', 'message of npm', /^npm (?:error|ERR!) /, 'npm error 404 Not Found'],

  ['stop', 'stop signal', /\b(?:got|received) (?:signal )?(?:SIGTERM|SIGINT|15)\b|\bhandling signal: (?:term|int)\b|(?:^|: +\d+ )terminated(?:$|\s{2})/i, 'received signal SIGTERM'],

  ['last', 'harmless level', ({ level }) => level !== undefined && level <= warning, 'WARNING the page failed'],
  ['compiler', 'error of a compiler', /^(?:[^\s:(]+[:(]\d+(?:[:,]\d+)?\)?:? (?:- )?(?:fatal )?error\b|error\[\w+\]: )|: undefined reference to /, 'src/a.ts(3,5): error TS2322: Type string'],
  ['compiler', 'place in a file', /^[^\s:(]+\.\w+:(?:\d+:\d+:|\[\d+,\d+\]) (?!warning|note)/i, './main.go:4:14: undefined: rows'],
  ['errorLevel', 'error level', ({ level }) => level === error, 'ERROR no rows'],
  ['last', 'no failures', /\b(?:no|0|zero|without(?: any)?) (?:errors?|fail|exceptions?)|\b(?:errors?|failed|failures?|exceptions?)["']?\s?[:=]?\s?(?:0|none|false|null)\b(?!\.\d| [a-z]+s [a-z]+(?![a-z:=]))/i, '12 ok, 0 failed'],
  ['last', 'statistics', /^[\s{]*(?:["'][^"']*["']: \d+[\s,}]*)+$/, " 'log_count/ERROR': 3,"],

  ['tool', 'failed test', /^(?:FAILED \S+::|--- FAIL: |not ok \d|\s*● .* › )/, 'FAILED test_rows.py::test_read - assert 1 == 2'],
  ['tool', 'message of a shell', /^(?:[^\s:]+: line|[^\s:]*(?:sh|\/[^\s:/]+):) \d+: /, 'run.sh: line 5: HOST: unbound variable'],
  ['tool', 'message of the system', /^[\w./-]+: .*(?:No such file or directory|Permission denied|Connection refused|No space left on device|unexpected end of file|command not found)\.?$|^[a-z\d_-]+: +cannot /, 'cp: cannot stat a.csv: No such file or directory'],
  ['tool', 'message of a tool', /^(?:fatal|error|curl|docker|ssh): |^ ! \[|^CONFLICT \(|^\s*ERR_PNPM_/i, 'fatal: unable to access'],

  ['pointer', 'count of failures', /\b\d+ (?:errors?|failed|failures?|exceptions?)\b|\b(?:errors?|failed|failures)["']?[:=] ?\d/i, 'Done: 3 ok, 1 failed'],
  ['pointer', 'look elsewhere', /\b(?:see|look) above\b/i, 'the job failed, see above'],

  ['failure', 'word of failure', /(?<![\w./-])(?:error|fatal|panic|exception|critical|failed|failure|killed|abort(?:ed)?|out of memory)(?!\w|[./-]\w)|^\s*[×✗✘✖❌]/i, 'the job failed'],
  ['failure', 'name of an exception', /[\w.](?:Error|Exception)\b(?![./-]\w)|^[A-Z]\w*(?:NotFound|(?:::[A-Z]\w*)+)(?::\s|:?$)/, 'sqlite3.OperationalError'],
  ['failure', 'message of Perl', / at \S+ line \d+\.$/, 'bad row at a.pl line 5.'],
  ['refusal', 'word of refusal or lack', /\b(?:denied|refused|rejected|forbidden|can(?:no|')t|could ?n[o']t|unable to|invalid|not found|not (?:in|an?) \w+ (?:format|file|archive)|no such|missing|not exist|no space left|timed out)\b/i, 'a.csv: no such file'],
]

export const kinds: readonly Kind[] = rows.map(([rank, name, test, example]) => {
  return { rank, name, test, example }
})

/** The kind of a line that no row fits. */
export const other: Kind = { rank: 'last', name: 'other', test: /^/, example: 'saving 12 rows' }

// Most lines fit no pattern. The joined patterns find that out faster than each pattern alone. There
// are two of them, because V8 reads a group with its own flags wrongly if it does not optimise.
const patterns = kinds.flatMap(({ test }) => (test instanceof RegExp ? test : []))
const joined = ['', 'i'].map((flags) => {
  const sources = patterns.filter((pattern) => pattern.flags === flags).map(({ source }) => source)
  return new RegExp(sources.join('|'), flags)
})
const withoutPattern = kinds.filter(({ test }) => typeof test === 'function')

/** Returns the kind of a line. */
export function kindOf(line: Words): Kind {
  const rows = joined.some((pattern) => pattern.test(line.text)) ? kinds : withoutPattern
  const isOf = ({ test }: Kind) => (typeof test === 'function' ? test(line) : test.test(line.text))
  return rows.find(isOf) ?? other
}
