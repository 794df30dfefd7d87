/** Reads the end of a log and the beginning of a result for outputs, log and job summary. */
import { lastLines } from '../cut.ts'
import { readBeginning, readTail, type FileText } from '../download/file-text.ts'
import type { Secrets } from '../messages/text/secrets.ts'
import { showLog } from '../messages/text/shown-texts.ts'

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
