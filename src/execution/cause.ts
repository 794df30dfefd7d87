/** Why a run failed, as its log tells. */
import { cut } from '../cut.ts'
import { readTail } from '../download/file-text.ts'
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

/** The end of a log as people may see it, at most so many bytes. */
export type ReadLogEnd = (file: string, limit: number) => Promise<string>

// Bytes at the end of a log. Redacting the last MiB takes some 30 ms, and of a progress bar 90 ms.
const nearEnd = 64 * 1024
const maxLog = 1024 * 1024
const maxCauseLength = 1_000

// What each frame of a traceback has in it, coloured or not.
const frameMark = ', line '

const failing =
  /(?:^|[^a-z])(?:error|fatal|panic|exception|critical|killed|failed|failure|out of memory|oom|segmentation fault|core dumped|abort(?:ed)?|traceback)(?![a-z])|\w(?:Error|Exception)\b/i
const fine =
  /\b(?:no|0|zero|without(?: any)?) (?:errors?|failures?|exceptions?)\b|\b(?:errors?|failed|failures?)\s?[:=]\s?(?:0|none|false|null)\b/i
const harmlessLevel = /^[^a-z]*(?:trace|debug|info|notice)\b/i
const stackFrame = /^\s*(?:at |\.{3} \d+ (?:more|common)|File "|goroutine \d|created by )/

/**
 * The cause as the last MiB of a log has it. Of most logs the last 64 KiB are enough: more is read
 * where nothing there reads like an error, or a traceback begins before it.
 */
export async function readCause(
  log: { path: string; size: number },
  readLogEnd: ReadLogEnd,
): Promise<Cause | undefined> {
  const near = searchCause(await readLogEnd(log.path, nearEnd))
  if (log.size <= nearEnd || near.kind === 'traceback') return near.cause
  if (near.kind === 'error' && !(await hasEarlierFrame(log.path))) return near.cause
  return findCause(await readLogEnd(log.path, maxLog))
}

async function hasEarlierFrame(file: string): Promise<boolean> {
  const { bytes } = await readTail(file, maxLog)
  return bytes.subarray(0, -nearEnd).includes(frameMark)
}

/**
 * The line that says best why a run failed: the last line of the last Python traceback, with the
 * file and line it came from; else the last line that reads like an error; else the last line.
 * `logEnd`: the end of the log, of any size; its last MiB is read.
 */
export function findCause(logEnd: string): Cause | undefined {
  return searchCause(logEnd).cause
}

interface Search {
  /** `cut`: a traceback of which the frames that count may stand before the text. */
  kind: 'traceback' | 'cut' | 'error' | 'none'
  cause: Cause | undefined
}

function searchCause(logEnd: string): Search {
  const lines = readLogLines(logEnd)
  const traceback = findTraceback(lines)
  if (traceback) {
    const { message, frame, isCut } = traceback
    const cause = { text: cut(message, maxCauseLength), ...frame }
    return { kind: isCut ? 'cut' : 'traceback', cause }
  }
  const error = lines.findLast(readsLikeError)
  if (error) return { kind: 'error', cause: { text: cut(error.text.trim(), maxCauseLength) } }
  const last = lines.findLast(({ text }) => text.trim())
  const cause = last && { text: cut(last.text.trim(), maxCauseLength), isLastLine: true as const }
  return { kind: 'none', cause }
}

function readsLikeError({ text, levelled }: LogLine): boolean {
  if (!text.trim() || stackFrame.test(text)) return false
  return failing.test(levelled) && !harmlessLevel.test(levelled) && !fine.test(text)
}
