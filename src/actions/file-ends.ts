/** Reads the end of a log and the beginning of a result, as people see them. */
import { lastLines } from '../cut.ts'
import { readBeginning, readTail, type FileText } from '../download/file-text.ts'
import { findCause, type Cause } from '../cause/find-cause.ts'
import type { Secrets, Show } from '../messages/text/secrets.ts'
import { clean, inline, lines } from '../messages/text/untrusted-text.ts'

// How many bytes are read in addition to `limit`, because redaction and cutting remove text.
const lead = 8 * 1024

/**
 * Returns the redacted last lines of a log, at most `limit` bytes. Returns '' if reading fails, and
 * undefined if the log is not text.
 */
export async function readLogEnd(
  file: string,
  limit: number,
  { show, showEnd }: Pick<Secrets, 'show' | 'showEnd'>,
): Promise<string | undefined> {
  const tail = await readTail(file, limit + lead).catch(() => undefined)
  if (!tail) return ''
  const text = tail.bytes.toString('utf8')
  if (!isText(text)) return undefined
  if (tail.complete) return lastLines(showLog(text, show), limit)
  // The first line may be incomplete and contain a part of a secret, so this line is left out.
  // Progress bars end their lines with a carriage return. If there is only one line, `showEnd`
  // removes the beginning that may be a part of a secret.
  const first = /[\r\n]+/.exec(text)
  const whole = first ? text.slice(first.index + first[0].length) : ''
  const shown = whole.trim() === '' ? showLog(text, showEnd) : showLog(whole, show)
  return lastLines(shown, limit)
}

// The number of bytes that are read from the end of a log to find the cause. The redaction of 1 MiB
// takes 30 ms, or 90 ms if the whole text is one line.
const maxLogOfCause = 1024 * 1024
const maxCauseLine = 1_000
const maxFile = 500

/**
 * Returns the line of a log that says why a run failed. Redacts the line again, because the line can
 * come from JSON, in which secrets have other spellings.
 */
export async function readCause(
  logFile: string,
  secrets: Pick<Secrets, 'show' | 'showEnd'>,
): Promise<Cause | undefined> {
  const cause = findCause((await readLogEnd(logFile, maxLogOfCause, secrets)) ?? '')
  if (!cause) return undefined
  const line = (text: string, limit: number) => inline(secrets.show(text), limit)
  const frame = cause.frame && { ...cause.frame, file: line(cause.frame.file, maxFile) }
  return { ...cause, text: line(cause.text, maxCauseLine), frame }
}

/** Returns a redacted log. Only the final state of a progress bar is kept. */
export function showLog(text: string, show: Show): string {
  return lines(show(withoutOldStates(text))).join('\n')
}

/** A carriage return moves to the beginning of the line. Only the final text stays visible. */
function withoutOldStates(log: string): string {
  if (!log.includes('\r')) return log
  const isSeen = (state: string) => state.trim() !== '' && clean(state).trim() !== ''
  const lastState = (line: string) => line.split('\r').findLast(isSeen) ?? ''
  return log.split('\n').map(lastState).join('\n')
}

// A binary file has many bytes that are no UTF-8, and UTF-16 has many zeros. A log in Latin-1 has few.
function isText(text: string): boolean {
  return (text.match(/[\0\ufffd]/g) ?? []).length <= text.length / 10
}

/** Returns at most the first `limit` bytes of a result. Removes an incomplete secret at the end. */
export async function readResultHead(
  file: string,
  limit: number,
  { showBeginning }: Pick<Secrets, 'showBeginning'>,
): Promise<FileText> {
  const head = await readBeginning(file, limit)
  if (head.complete || head.text === undefined) return head
  return { ...head, text: showBeginning(head.text) }
}
