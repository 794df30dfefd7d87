/** Finds the line of a log that says why a run failed. */
import { cut } from '../cut.ts'
import { critical, error, isBlank, readLines, warning, type LogLine } from './log-lines.ts'
import {
  endOfNoise,
  findTracebacks,
  isNoise,
  wordsAt,
  type Frame,
  type Traceback,
} from './traceback.ts'

export interface Cause {
  /** One line in the words of the log. The text must be cleaned before it is shown. */
  text: string
  /** Where the error was raised, if the log has a traceback. */
  frame?: Frame
  /** True if no line of the log looks like an error. Then `text` is the last line. */
  isLastLine?: true
}

/** Returns the redacted end of a log, at most `limit` bytes, or undefined if the log is not text. */
export type ReadLogEnd = (file: string, limit: number) => Promise<string | undefined>

// The number of bytes that are read from the end of a log. The redaction of 1 MiB takes 30 ms, or
// 90 ms if the whole text is one line.
const maxLog = 1024 * 1024
// Longer than what is shown: the cause is redacted once more, because it may be a text inside JSON.
const maxCauseLength = 16_000

/** Returns the line that best says why a run failed. Reads only the last MiB of the log. */
export async function readCause(file: string, readLogEnd: ReadLogEnd): Promise<Cause | undefined> {
  return findCause((await readLogEnd(file, maxLog)) ?? '')
}

/** Returns the first of these candidates that the log has. */
export function findCause(logEnd: string): Cause | undefined {
  const lines = readLines(logEnd)
  const { tracebacks, isOut } = judge(lines)
  const main = mainTraceback(tracebacks)
  const findLast = (test: (line: LogLine) => boolean, from = 0): Cause | undefined => {
    const at = lines.findLastIndex((line, at) => isOut[at] === 0 && test(line))
    return at < from ? undefined : { text: wordsAt(lines, at) }
  }
  const cause =
    findLast((line) => line.level === critical || isKilled(line), main && main.last + 1) ??
    causeOf(main) ??
    findLast((line) => line.level === error && !isExitStatus(line)) ??
    findLast(
      (line) => saysFailure(line, failing, exceptionName, shell) && !counts.test(line.text),
    ) ??
    findLast((line) => saysFailure(line, refusing)) ??
    findLast((line) => saysFailure(line, failing)) ??
    causeOf(tracebacks.findLast(({ kind }) => kind === 'noise')) ??
    asLastLine(findLast((line) => !isExitStatus(line)) ?? findLast(() => true))
  return cause && { ...cause, text: cut(cause.text, maxCauseLength) }
}

function causeOf(traceback: Traceback | undefined): Cause | undefined {
  if (!traceback) return undefined
  const { text, frame } = traceback
  return frame ? { text, frame } : { text }
}

function asLastLine(cause: Cause | undefined): Cause | undefined {
  return cause && { ...cause, isLastLine: true }
}

/** Returns the last traceback that may be the cause. A traceback in a thread may have ended no run. */
function mainTraceback(tracebacks: readonly JudgedTraceback[]): Traceback | undefined {
  const last = tracebacks.findLast(({ kind }) => kind !== 'noise' && kind !== 'handled')
  if (last?.kind !== 'thread') return last
  return tracebacks.findLast(({ kind }) => kind === 'uncaught') ?? last
}

interface JudgedTraceback extends Traceback {
  /** `reported`: a line of level WARNING or higher introduces the traceback. */
  kind: 'noise' | 'handled' | 'thread' | 'reported' | 'uncaught'
}

interface Judged {
  tracebacks: readonly JudgedTraceback[]
  /** For each line, 1 if the line is no candidate: blank, in a traceback, or without meaning. */
  isOut: Uint8Array
}

function judge(lines: readonly LogLine[]): Judged {
  const isOut = Uint8Array.from(lines, (line) => (isBlank(line) ? 1 : 0))
  const found = findTracebacks(lines)
  for (const { first, last } of found) isOut.fill(1, first, last + 1)
  const noisy = leaveOutNoise(lines, found, isOut)
  const hasLevel = (at: number) => isOut[at] === 0 && lines[at]?.level !== undefined
  const isIntroduction = (at: number) => isOut[at] === 0 && (hasLevel(at) || lines[at]?.isStamped)
  let at = 0
  let introduction: number | undefined
  const introduced = found.map((traceback) => {
    for (; at < traceback.first; at++) if (isIntroduction(at)) introduction = at
    // A logger may write the heading into its own line.
    const hasOwn = lines[traceback.first]?.level !== undefined
    return { ...traceback, introduction: hasOwn ? traceback.first : introduction }
  })
  const lastLevel = lines.findLastIndex((_, at) => hasLevel(at))
  let end = 0
  const tracebacks = introduced.map(({ introduction, ...traceback }): JudgedTraceback => {
    if (noisy.has(traceback.first)) return { ...traceback, kind: 'noise' }
    const level = introduction === undefined ? undefined : lines[introduction]?.level
    if (introduction !== undefined && level === warning && traceback.last < lastLevel) {
      const begin = Math.max(introduction, end)
      end = Math.max(traceback.last + 1, end)
      while (!hasLevel(end)) end += 1
      isOut.fill(1, begin, end)
      return { ...traceback, kind: 'handled' }
    }
    if (isInThread(lines, traceback)) return { ...traceback, kind: 'thread' }
    return { ...traceback, kind: (level ?? 0) >= warning ? 'reported' : 'uncaught' }
  })
  return { tracebacks, isOut }
}

/** Marks what Python prints beside a program. Returns where the tracebacks in it begin. */
function leaveOutNoise(
  lines: readonly LogLine[],
  tracebacks: readonly Traceback[],
  isOut: Uint8Array,
): Set<number> {
  const noisy = new Set<number>()
  let next = 0
  let at = 0
  while (at < lines.length) {
    if (isOut[at] === 1 || !isNoise(lines[at])) {
      at += 1
      continue
    }
    while ((tracebacks[next]?.first ?? lines.length) < at) next += 1
    const end = endOfNoise(lines, at, tracebacks[next])
    isOut.fill(1, at, end + 1)
    for (; (tracebacks[next]?.first ?? lines.length) <= end; next++)
      noisy.add(tracebacks[next]?.first ?? end)
    at = end + 1
  }
  return noisy
}

function isInThread(lines: readonly LogLine[], { first }: Traceback): boolean {
  return /^Exception in thread /.test(lines[first - 1]?.text ?? '')
}

const failing =
  /(?<![a-z_/.-])(?:error|fatal|panic|exception|critical|killed|failed|failure|out of memory|oom|segmentation fault|core dumped|abort(?:ed)?)(?![a-z_]|[./-]\w)|^\s*[×✗✘✖❌]/i
const exceptionName = /[\w.](?:Error|Exception)\b(?![./-]\w)/
/** The message of a shell: `run.sh: line 5: csvcut: command not found`, `/app/start: 5: …`. */
const shell = /^(?:[^\s:]{1,200}: line|[^\s:]{0,200}(?:sh|\/[^\s:/]{0,200}):) \d{1,9}: \S/
const refusing =
  /\b(?:not found|no such file|denied|refused|cannot|could not|unable to|invalid|no space left|timed out)\b/i
const countsNone =
  /\b(?:no|0|zero|without(?: any)?) (?:errors?|failed|failures?|exceptions?)\b|\b(?:errors?|failed|failures?|exceptions?)["']?(?:\s?[:=]\s?(?:0|none|false|null)| 0)\b(?!\.\d)|["']: \d{1,9}[,}]?$/i
const counts =
  /\b\d+ (?:errors?|failed|failures?|exceptions?)\b|\b(?:errors|failed|failures)["']?\s?[:=]\s?\d/i
const stackFrame =
  /^\s*(?:at |\.{3} \d+ (?:more|common|lines)|File "|goroutine \d|created by |\[cause\]: )/
const exitStatus =
  /\b(?:exit(?:ed|ing)?|ended|returned|code|status|error)(?: with)?(?: (?:exit |return |error |non-zero |exit )?(?:code|status))?[:=]? \(?-?(?:1?\d?\d|2[0-4]\d|25[0-5])\)?\.?$/i
const killed =
  /(?:^|[:\]] +(?:\d+ )?)killed(?:$|\s{2})|\boom-?killed\b|\bkilled process \d|\bSIGKILL\b/i

/** Returns true if one of these patterns is in a line, and the line does not say that all is well. */
function saysFailure({ text, level }: LogLine, ...patterns: readonly RegExp[]): boolean {
  if (level !== undefined && level <= warning) return false
  if (!patterns.some((pattern) => pattern.test(text))) return false
  return (
    !countsNone.test(text.trimEnd()) && !stackFrame.test(text) && !exitStatus.test(text.trimEnd())
  )
}

function isKilled({ text, level }: LogLine): boolean {
  return (level ?? error) >= warning && killed.test(text.trim())
}

function isExitStatus({ text }: LogLine): boolean {
  return exitStatus.test(text.trimEnd())
}
