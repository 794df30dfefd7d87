/** Finds the line of a log that says why a run failed. */
import { critical, error, readLines, isMarked, warning, type LogLine } from './log-lines.ts'
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
    return { text, frame: placeOfTest(lines) }
  }
  const cause =
    findLast((line) => line.level === critical || killed.test(line.text), main && main.last + 1) ??
    causeAbove(lines, main) ??
    causeOf(main) ??
    findLast(({ level, text }) => level === error && !effect.test(text) && !pointer.test(text)) ??
    findLast(
      (line) => saysFailure(line, failing) && !pointer.test(line.text) && !summary.test(line.text),
    ) ??
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

/** Finds the traceback that may be the cause, and the lines that are no candidates. */
function judge(lines: readonly LogLine[]) {
  const tracebacks = findTracebacks(lines)
  // For each line, 1 if the line is blank, in a traceback, noise, or handled.
  const isOut = Uint8Array.from(lines, ({ text }, at) =>
    text === '' || isNoise(lines, at) ? 1 : 0,
  )
  for (const { first, last } of tracebacks) isOut.fill(1, first, last + 1)
  const lastLevel = lines.findLastIndex(({ level }, at) => isOut[at] === 0 && level !== undefined)
  const isInThread = (first: number) => lines[first - 1]?.text.startsWith('Exception in thread ')
  let at = 0
  /** The nearest line above that a logger wrote. */
  let above = -1
  let main: Traceback | undefined
  /** The last traceback outside of threads that no line of level WARNING or higher introduces. */
  let uncaught: Traceback | undefined
  const candidates = tracebacks.filter(({ isNoise }) => !isNoise)
  for (const [index, traceback] of candidates.entries()) {
    const { first, last } = traceback
    const from = at
    for (let line = lines[at]; line && at < first; line = lines[++at]) {
      if (isOut[at] === 0 && isMarked(line)) above = at
    }
    // A logger may write the heading into its own line.
    const own = lines[first]?.level
    const level = own ?? lines[above]?.level ?? 0
    const isHandled = level === warning && last < lastLevel
    if (isHandled) {
      const end = candidates[index + 1]?.first ?? lines.length
      let line = own === undefined ? Math.max(above, from) : first
      for (; line <= last || (line < end && !isMarked(lines[line])); line++) isOut[line] = 1
      continue
    }
    main = traceback
    if (level < warning && !isInThread(first)) uncaught = traceback
  }
  if (main && isInThread(main.first)) main = uncaught ?? main
  return { main, noise: tracebacks.filter(({ isNoise }) => isNoise), isOut }
}

// The second pattern is for names of exceptions, and the third for messages of a shell.
const failing = [
  /(?<![a-z_/.-])(?:error|fatal|panic(?:ked)?|exception|critical|killed|failed|failure|out of memory|oom|segmentation fault|core dumped|abort(?:ed)?)(?![a-z_]|[./-]\w)|^\s*[×✗✘✖❌]|^terminate called /i,
  /[\w.](?:Error|Exception)\b(?![./-]\w)/,
  /^(?:[^\s:]+: line|[^\s:]*(?:sh|\/[^\s:/]+):) \d+: /,
]
const refusing = [
  /\b(?:not found|no such file|denied|refused|cannot|could not|unable to|invalid|no space left|timed out)\b/i,
]
const countsNone =
  /\b(?:no|0|zero|without(?: any)?) (?:errors?|failed|failures?|exceptions?)\b|\b(?:errors?|failed|failures?|exceptions?)["']?(?:\s?[:=]\s?(?:0|none|false|null)| 0)\b(?!\.\d)|["']: \d+[,}]?$/i
const summary =
  /\b\d+ (?:errors?|failed|failures?|exceptions?)\b|\b(?:errors?|failed|failures)["']?[:=] ?\d|^npm (?:error|ERR!)/i
const effect =
  /\bcurrent transaction is aborted\b|\bprevious errors?\b|\bfor help visit\b|\bexiting now$|\(code \d+\) at |\b(?:error|fail(?:ed|ure)) (?:in|at|on|near) line \d+\.?$|\b(?:exit(?:ed|ing)?|ended|returned|code|status|error)(?: with)?[:=]? \(?-?[12]?\d?\d\)?\.?$/i
// A line that only names what failed, or points to the lines above.
const pointer =
  /^\s*(?:note|hint): |^error: [a-z-]+$|^× Encountered error|\b(?:see|look) above\b|\bcomplete log of this run\b|\[ERROR in [\d.]+s\]|(?:^|: +\d+ )Aborted(?: +\(core dumped\))?(?:$|\s{2})/i
const wrapper = /\bexit(?:ed)? [^:]*\d\)?\.?$|\bdied with <Signals\.|\btransaction is aborted\b/
const killed =
  /(?:^(?:zsh:)?\s*|\] +|: +\d+ )(?:killed|terminated|segmentation fault|bus error)(?: +\(core dumped\))?(?:$|\s{2})|\boom-?killed\b|\bkilled process \d|\b(?:by|was sent) SIGKILL\b|\bmemory (?:quota|limit)\b[^:]{0,40}\bexceeded\b|\b(?:got|received) (?:SIGTERM|signal 15)\b/i

/** Returns true if one of the patterns is in the line, and the line does not deny a failure. */
function saysFailure(line: LogLine, patterns: readonly RegExp[]): boolean {
  const { text } = line
  if (isHarmless(line) || !patterns.some((pattern) => pattern.test(text))) return false
  return !countsNone.test(text) && !stackFrame.test(text) && !effect.test(text)
}

function isHarmless({ level = error }: LogLine): boolean {
  return level <= warning
}
