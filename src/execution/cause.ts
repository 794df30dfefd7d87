/** Finds the line of a log that says why a run failed. */
import { cut } from '../cut.ts'

export interface Cause {
  /** One line in the words of the log. The text must be cleaned before it is shown. */
  text: string
  /** Where the error was raised, if the log has a traceback. */
  frame?: Frame
  /** True if no line of the log looks like an error. Then `text` is the last line. */
  isLastLine?: true
}

interface Frame {
  /** A path on the machine that ran the automation. */
  file: string
  line: number
}

/** Returns the redacted end of a log, at most `limit` bytes. */
export type ReadLogEnd = (file: string, limit: number) => Promise<string>

// The number of bytes that are read from the end of a log. The redaction of 1 MiB takes 30 ms, or
// 90 ms if the whole text is one line.
const maxLog = 1024 * 1024
const maxCauseLength = 1_000

const failing =
  /(?:^|[^a-z])(?:error|fatal|panic|exception|critical|killed|failed|failure|out of memory|oom|segmentation fault|core dumped|abort(?:ed)?|traceback)(?![a-z])|\w(?:Error|Exception)\b/i
const fine =
  /\b(?:no|0|zero|without(?: any)?) (?:errors?|failures?|exceptions?)\b|\b(?:errors?|failed|failures?)\s?[:=]\s?(?:0|none|false|null)\b/i
const harmlessLevel = /^[^a-z]*(?:trace|debug|info|notice)\b/i
const stackFrame =
  /^\s*(?:at |\.{3} \d+ (?:more|common|lines)|File "|goroutine \d|created by |\[cause\]: )/

/**
 * Returns the log line that best says why a run failed. Reads only the last MiB of the log. The
 * first choice is the message of the last Python traceback. The second choice is the last line that
 * looks like an error. The third choice is the last line.
 */
export async function readCause(file: string, readLogEnd: ReadLogEnd): Promise<Cause | undefined> {
  return findCause(await readLogEnd(file, maxLog))
}

export function findCause(logEnd: string): Cause | undefined {
  const lines = readLogLines(logEnd)
  const traceback = findTraceback(lines)
  if (traceback) return { text: cut(traceback.message, maxCauseLength), frame: traceback.frame }
  const error = lines.findLast(readsLikeError)
  if (error) return { text: cut(error.text.trim(), maxCauseLength) }
  const last = lines.findLast(({ text }) => text.trim())
  return last && { text: cut(last.text.trim(), maxCauseLength), isLastLine: true }
}

function readsLikeError({ text, levelled }: LogLine): boolean {
  if (!text.trim() || stackFrame.test(text)) return false
  return failing.test(levelled) && !harmlessLevel.test(levelled) && !fine.test(text)
}

/** One line of a log, without colours and timestamp. */
interface LogLine {
  /** The text after the timestamp and the level, with its indentation. */
  text: string
  /** The text with its level (for example `ERROR`), because the level may mark an error. */
  levelled: string
}

// Only the first 2,000 characters of a line are read. Lines of a traceback are shorter.
const maxLineLength = 2_000

const escape = String.fromCharCode(0x1b)
const colour = new RegExp(`${escape}\\[[0-?]*[ -/]*[@-~]`, 'g')
const timestamp =
  /^\s?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: [-|:])?(?: |$)/
const bracketedLevel =
  /^\[(?:trace|debug|info|notice|warn|warning|error|critical|fatal)\](?: ?[-|:])?(?: |$)/i
// Matches only capital letters, because `Error: boom` is a message and not a level.
const bareLevel =
  /^(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)(?: ?[-|:])?(?: |$)/

export function readLogLines(log: string): LogLine[] {
  return log.split(/\r\n|\n|\r/).map(readLine)
}

function readLine(line: string): LogLine {
  const levelled = line.slice(0, maxLineLength).replace(colour, '').replace(timestamp, '')
  return { levelled, text: levelled.replace(bracketedLevel, '').replace(bareLevel, '') }
}

interface Traceback {
  message: string
  /** The innermost frame outside of libraries, or the innermost frame if all are in libraries. */
  frame: Frame
}

// Also matches a frame without a function name, as in the traceback of a SyntaxError.
const frameLine = /^\s*File "([^"]{1,1000})", line (\d{1,9})(?:, in .*)?$/
const library =
  /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d[\d.]*t?|python\d+[\\/]lib)[\\/]|^</i

/**
 * Returns the last Python traceback of a log. Searches for the last frame, not for the heading. The
 * heading may be cut off, belong to another exception, or be missing (SyntaxError of the main
 * file).
 */
function findTraceback(lines: readonly LogLine[]): Traceback | undefined {
  const last = lines.findLastIndex(({ text }) => frameLine.test(text))
  const innermost = lines[last]?.text
  if (innermost === undefined) return undefined
  const message = readMessage(
    lines.slice(last + 1).map(({ text }) => text),
    indentation(innermost),
  )
  const frames = readFrames(lines.slice(0, last + 1))
  const frame = frames.find(({ file }) => !library.test(file)) ?? frames[0]
  if (message === undefined || frame === undefined) return undefined
  // If the message is only the name of an exception, the source line is added as an explanation.
  const source = /^[\w.]+$/.test(message) ? sourceAfter(innermost, lines[last + 1]?.text) : ''
  return { message: source === '' ? message : `${message}: ${source}`, frame }
}

/** Returns the source line that a traceback shows below a frame, or '' if there is no such line. */
function sourceAfter(frame: string, next = ''): string {
  return indentation(next) > indentation(frame) ? next.trim() : ''
}

/**
 * Returns the message of a traceback: the first line that is indented less than the frames. If this
 * line says too little, adds the next lines.
 */
function readMessage(lines: readonly string[], frameIndentation: number): string | undefined {
  const at = lines.findIndex((line) => line.trim() && indentation(line) < frameIndentation)
  const message = lines[at]?.trim()
  if (message === undefined) return undefined
  if (/: \d+ validation errors? for /.test(message)) {
    const more = lines.slice(at + 1, at + 3).map((line) => line.trim())
    return [message, ...more.filter((line) => line !== '')].join('; ')
  }
  if (!/^[\w.]+:$/.test(message)) return message
  const next = lines.slice(at + 1, at + 5).find((line) => line.trim())
  return next === undefined ? message : `${message} ${next.trim()}`
}

/** Returns the frames of the last traceback, innermost first. */
function readFrames(lines: readonly LogLine[]): Frame[] {
  const frames: Frame[] = []
  for (const { text } of lines.toReversed()) {
    const [, file, line] = frameLine.exec(text) ?? []
    if (file !== undefined) frames.push({ file, line: Number(line) })
    else if (indentation(text) === 0 && text) break
  }
  return frames
}

function indentation(text: string): number {
  return text.length - text.trimStart().length
}
