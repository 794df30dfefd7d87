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
 * begins with a whole line.
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
  const lineBreak = text.indexOf('\n')
  // Of a line that alone is longer, half a secret may be at its beginning.
  const isOneLine = lineBreak === -1 || lineBreak === text.length - 1
  const shown = isOneLine ? showLog(text, showEnd) : showLog(text.slice(lineBreak + 1), show)
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
