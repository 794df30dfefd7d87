/** The end of a log and the beginning of a result, for one run and for many. */
import { lastLines } from '../cut.ts'
import { readBeginning, readTail, type FileText } from '../download/file-text.ts'
import type { Secrets } from '../messages/text/secrets.ts'
import { showLog } from '../messages/text/shown-texts.ts'

// Bytes that are read in addition, because redaction and cutting remove some.
const lead = 8 * 1024

/**
 * Returns the redacted last lines of a log, at most `limit` bytes, or '' if the file no longer
 * exists. Reads a little more than that, so that a secret at the cut is found. The text begins with
 * a whole line, or a whole state of a progress bar.
 */
export async function readLogEnd(
  file: string,
  limit: number,
  { show, showEnd }: Pick<Secrets, 'show' | 'showEnd'>,
): Promise<string> {
  const tail = await readTail(file, limit + lead).catch(() => undefined)
  if (!tail) return ''
  const text = tail.bytes.toString('utf8')
  if (tail.complete) return lastLines(showLog(text, show), limit)
  // The beginning may contain a cut secret. So the text begins with the next line, or the next
  // state of a progress bar. If there is none, the part that may be a secret is removed.
  const first = /[\r\n]+/.exec(text)
  const whole = first ? text.slice(first.index + first[0].length) : ''
  const shown = whole.trim() === '' ? showLog(text, showEnd) : showLog(whole, show)
  return lastLines(shown, limit)
}

/** Returns the beginning of a result, at most `limit` bytes, without a cut secret at its end. */
export async function readResultHead(
  file: string,
  limit: number,
  { showBeginning }: Pick<Secrets, 'showBeginning'>,
): Promise<FileText> {
  const head = await readBeginning(file, limit)
  if (head.complete || head.text === undefined) return head
  return { ...head, text: showBeginning(head.text) }
}
