import { asTerminalShows } from './text/terminal-text.ts'
import type { Secrets } from './text/secrets.ts'
import { lines } from './text/untrusted-text.ts'

/** The end of a log as people may see it: as a terminal would leave it, clean, without secrets. */
export function showLog(text: string, secrets: Pick<Secrets, 'show'>): string {
  return lines(secrets.show(asTerminalShows(text))).join('\n')
}
