/** Finds the line of a log that says why a run failed. */
import { critical, error, readLines, warning, type LogLine } from './log-lines.ts'
import { findTracebacks, isNoise, stackFrame, wordsAt, type Traceback } from './traceback.ts'

export interface Cause {
  /** One line in the words of the log. The text must be cleaned before it is shown. */
  text: string
  /** Where the error was raised, if the log has a traceback. */
  frame?: Traceback['frame']
  /** True if no line of the log looks like an error. Then `text` is the last line. */
  isLastLine?: true
}

// The number of lines above an exception that may be the output of another program.
const maxAbove = 50

/** Returns the line that best says why a run failed. Undefined if the log has no words. */
export function findCause(logEnd: string): Cause | undefined {
  return causeIn(readLines(logEnd))
}

function causeIn(lines: readonly LogLine[]): Cause | undefined {
  const { main, noise, isOut } = judge(lines)
  const findLast = (test: (line: LogLine) => boolean, from = 0): Cause | undefined => {
    const at = lines.findLastIndex((line, at) => isOut[at] === 0 && test(line))
    if (at < from) return undefined
    const text = wordsAt(lines, at)
    return { text, frame: text.includes('.py::') ? placeOfTest(lines) : undefined }
  }
  const cause =
    findLast((line) => line.level === critical || isKilled(line), main && main.last + 1) ??
    causeAbove(lines, main) ??
    causeOf(main) ??
    findLast((line) => line.level === error && !effect.test(line.text)) ??
    findLast((line) => saysFailure(line, failing) && !counts.test(line.text)) ??
    findLast((line) => saysFailure(line, refusing)) ??
    findLast((line) => saysFailure(line, failing)) ??
    // Of all noise, only a task that nobody awaited may be why the run failed.
    causeOf(noise.findLast(({ first }) => lines[first]?.text.includes('never retrieved')))
  if (cause) return cause
  const last = findLast((line) => !effect.test(line.text)) ?? findLast(() => true)
  return last ? { ...last, isLastLine: true } : causeOf(noise.at(-1))
}

function causeOf(traceback: Traceback | undefined): Cause | undefined {
  return traceback && { text: traceback.text, frame: traceback.frame }
}

/** If an exception only tells that something else failed, returns what the lines above it say. */
function causeAbove(lines: readonly LogLine[], main: Traceback | undefined): Cause | undefined {
  if (!main || !wrapper.test(main.text)) return undefined
  // A logger may introduce the traceback. Its line says no more than the traceback.
  const end = main.first - (lines[main.first - 1]?.isStamped ? 1 : 0)
  const above = lines.slice(Math.max(0, end - maxAbove), end)
  const cause = causeIn(above.slice(above.findLastIndex(isHarmless) + 1))
  return cause?.isLastLine ? undefined : cause && { ...cause, frame: cause.frame ?? main.frame }
}

/** Returns the place of the last test that failed. pytest writes it as a line of its own. */
function placeOfTest(lines: readonly LogLine[]): Traceback['frame'] {
  const place = /^(\S+\.py):(\d{1,9}): \w+$/
  const [, file, line] =
    place.exec(lines.findLast(({ text }) => place.test(text))?.text ?? '') ?? []
  return file === undefined ? undefined : { file, line: Number(line) }
}

/** Finds the tracebacks that may be the cause, and the lines that are no candidates. */
function judge(lines: readonly LogLine[]) {
  const tracebacks = findTracebacks(lines)
  // For each line, 1 if the line is blank, in a traceback, noise, or handled.
  const isOut = Uint8Array.from(lines, ({ text }, at) =>
    text === '' || isNoise(lines, at) ? 1 : 0,
  )
  for (const { first, last } of tracebacks) isOut.fill(1, first, last + 1)
  const levelAt = (at: number) => lines[at]?.level
  const hasLevel = (at: number) => levelAt(at) !== undefined
  const marked = [...lines.keys()].filter(
    (at) => isOut[at] === 0 && (hasLevel(at) || lines[at]?.isStamped),
  )
  const isInThread = (first: number) => lines[first - 1]?.text.startsWith('Exception in thread ')
  const lastLevel = marked.findLast(hasLevel) ?? 0
  let next = 0
  let last: Traceback | undefined
  /** The last traceback outside of threads that no line of level WARNING or higher introduces. */
  let uncaught: Traceback | undefined
  for (const traceback of tracebacks) {
    const { first } = traceback
    while ((marked[next] ?? lines.length) < first) next += 1
    // A logger may write the heading into its own line.
    const own = levelAt(first)
    const begin = own === undefined ? (marked[next - 1] ?? first) : traceback.last
    const level = own ?? levelAt(begin) ?? 0
    if (traceback.isNoise) continue
    if (level === warning && traceback.last < lastLevel) {
      isOut.fill(1, begin, marked[next])
      continue
    }
    last = traceback
    if (level < warning && !isInThread(first)) uncaught = traceback
  }
  if (last && isInThread(last.first)) last = uncaught ?? last
  return { main: last, noise: tracebacks.filter(({ isNoise }) => isNoise), isOut }
}

// The second pattern is for names of exceptions, and the third for messages of a shell.
const failing = [
  /(?<![a-z_/.-])(?:error|fatal|panic(?:ked)?|exception|critical|killed|failed|failure|out of memory|oom|segmentation fault|core dumped|abort(?:ed)?)(?![a-z_]|[./-]\w)|^\s*[×✗✘✖❌]/i,
  /[\w.](?:Error|Exception)\b(?![./-]\w)/,
  /^(?:[^\s:]+: line|[^\s:]*(?:sh|\/[^\s:/]+):) \d+: /,
]
const refusing = [
  /\b(?:not found|no such file|denied|refused|cannot|could not|unable to|invalid|no space left|timed out)\b/i,
]
const countsNone =
  /\b(?:no|0|zero|without(?: any)?) (?:errors?|failed|failures?|exceptions?)\b|\b(?:errors?|failed|failures?|exceptions?)["']?(?:\s?[:=]\s?(?:0|none|false|null)| 0)\b(?!\.\d)|["']: \d+[,}]?$/i
const counts =
  /\b\d+ (?:errors?|failed|failures?|exceptions?)\b|\b(?:errors|failed|failures)["']?[:=] ?\d/i
const effect =
  /\bcurrent transaction is aborted\b|\bprevious errors?\b|\bfor help visit\b|\bexiting now$|\(code \d+\) at |\b(?:error|fail(?:ed|ure)) (?:in|at|on|near) line \d+\.?$|\b(?:exit(?:ed|ing)?|ended|returned|code|status|error)(?: with)?[:=]? \(?-?[12]?\d?\d\)?\.?$/i
const killed =
  /(?:^\s*|[:\]] +(?:\d+ )?)killed(?:$|\s{2})|\boom-?killed\b|\bkilled process \d|\b(?:by|sent) SIGKILL\b|\bmemory (?:quota|limit)\b[^:]{0,40}\bexceeded\b/i
const wrapper = /\bexit(?:ed)? [^:]*\d\)?\.?$|\bdied with <Signals\.|\btransaction is aborted\b/
const died =
  /(?:^|: +\d+ )(?:Terminated|Aborted|Segmentation fault|Bus error)(?: +\(core dumped\))?(?:$|\s{2})|\b(?:[Gg]ot|[Rr]eceived) (?:SIGTERM|signal 15)\b/

/** Returns true if one of the patterns is in the line, and the line does not deny a failure. */
function saysFailure(line: LogLine, patterns: readonly RegExp[]): boolean {
  const { text } = line
  if (isHarmless(line) || !patterns.some((pattern) => pattern.test(text))) return false
  return !countsNone.test(text) && !stackFrame.test(text) && !effect.test(text)
}

function isKilled(line: LogLine): boolean {
  return died.test(line.text) || (!isHarmless(line) && killed.test(line.text))
}

function isHarmless({ level = error }: LogLine): boolean {
  return level <= warning
}
