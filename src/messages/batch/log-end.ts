import path from 'node:path'
import { lastLines } from '../../cut.ts'
import { readTail } from '../../download/file-text.ts'
import { showLog } from '../text/shown-texts.ts'
import type { Show } from '../text/secrets.ts'

// Characters; longer than any secret.
const longestLead = 4096

/**
 * The last lines of a run's log as people may see them, at most `limit` bytes; empty where it is
 * gone. Secrets are looked for in more than what is kept, which begins with a whole line.
 */
export async function readLogEnd(
  { folder, file }: { folder: string; file: string },
  limit: number,
  show: Show,
): Promise<string> {
  const tail = await readTail(path.join(folder, file), limit + 2 * longestLead).catch(
    () => undefined,
  )
  if (!tail) return ''
  const text = tail.bytes.toString('utf8')
  return lastLines(
    tail.complete ? showLog(text, show) : showWithoutHead(text, show),
    limit,
  ).trimEnd()
}

/** What was cut may have left half a secret at the beginning, which nobody would find. */
function showWithoutHead(text: string, show: Show): string {
  const lineBreak = text.indexOf('\n')
  if (lineBreak !== -1 && lineBreak < text.length - 1) {
    return showLog(text.slice(lineBreak + 1), show)
  }
  return showLog(text, show).slice(showLog(text.slice(0, longestLead), show).length)
}
