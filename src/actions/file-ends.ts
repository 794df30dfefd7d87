/** The end of a log and the beginning of a result, for one run and for many. */
import { lastLines } from '../cut.ts'
import { readBeginning, readTail, type FileText } from '../download/file-text.ts'
import type { Secrets } from '../messages/text/secrets.ts'
import { showLog } from '../messages/text/shown-texts.ts'

// Bytes that are read beyond what is kept, for what redaction and cut take away.
const lead = 8 * 1024

/**
 * The last lines of a log as people may see them, at most `limit` bytes; empty where it is gone. No
 * more of the file is read than that takes. Secrets are looked for in more than what is kept, which
 * begins with a whole line, or a whole state of a progress bar.
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
  // What was cut may begin with half a secret: a line, or a state of a progress bar, of which the
  // next one is whole. One that alone is longer is shown without what may be that half.
  const first = /[\r\n]+/.exec(text)
  const whole = first ? text.slice(first.index + first[0].length) : ''
  const shown = whole.trim() === '' ? showLog(text, showEnd) : showLog(whole, show)
  return lastLines(shown, limit)
}

/** The beginning of a result, at most `limit` bytes; where it was cut, without half a secret at its end. */
export async function readResultHead(
  file: string,
  limit: number,
  { showBeginning }: Pick<Secrets, 'showBeginning'>,
): Promise<FileText> {
  const head = await readBeginning(file, limit)
  if (head.complete || head.text === undefined) return head
  return { ...head, text: showBeginning(head.text) }
}
