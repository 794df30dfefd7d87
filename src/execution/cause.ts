/** Why a run failed, as its log tells. */
import { cut } from '../cut.ts'
import { readLogLines, type LogLine } from './log-lines.ts'
import { findTraceback } from './traceback.ts'

export interface Cause {
  /** One line, still in the log's own words: to be made inert before it is shown. */
  text: string
  /** As the log names it: a path on the machine that ran the automation. */
  file?: string
  line?: number
  /** Nothing in the log reads like an error: `text` is only its last line. */
  isLastLine?: true
}

/** Bytes at the end of a log that are read for the cause. */
export const mostOfLog = 1024 * 1024
const longestCause = 1_000

const failing =
  /(?:^|[^a-z])(?:error|fatal|panic|exception|critical|killed|failed|failure|out of memory|oom|segmentation fault|core dumped|abort(?:ed)?|traceback)(?![a-z])|\w(?:Error|Exception)\b/i
const fine =
  /\b(?:no|0|zero|without(?: any)?) (?:errors?|failures?|exceptions?)\b|\b(?:errors?|failed|failures?)\s?[:=]\s?(?:0|none|false|null)\b/i
const harmlessLevel = /^[^a-z]*(?:trace|debug|info|notice)\b/i
const stackFrame = /^\s*(?:at |\.{3} \d+ (?:more|common)|File "|goroutine \d|created by )/

/**
 * The line that tells best why a run failed: the last line of the last Python traceback, with the
 * file and line it came from; else the last line that reads like an error; else the last line.
 * `logTail`: the end of the log, of any size; its last MiB is read.
 */
export function findCause(logTail: string): Cause | undefined {
  const lines = readLogLines(logTail)
  const traceback = findTraceback(lines)
  if (traceback) return { text: cut(traceback.message, longestCause), ...traceback.frame }
  const told = lines.findLast(readsLikeError)
  if (told) return { text: cut(told.text.trim(), longestCause) }
  const last = lines.findLast(({ text }) => text.trim())
  return last && { text: cut(last.text.trim(), longestCause), isLastLine: true }
}

function readsLikeError({ text, levelled }: LogLine): boolean {
  if (!text.trim() || stackFrame.test(text)) return false
  return failing.test(levelled) && !harmlessLevel.test(levelled) && !fine.test(text)
}
