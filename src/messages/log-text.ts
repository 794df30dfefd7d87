import { asTerminalShows } from './text/terminal-text.ts'
import type { Secrets } from './text/secrets.ts'
import { lines } from './text/untrusted-text.ts'

/**
 * The end of a log as people may see it: as a terminal would leave it, clean, without secrets.
 * `isCut`: more of the text was there, after its end.
 */
export function showLog(text: string, secrets: Pick<Secrets, 'show'>, isCut = false): string {
  return lines(secrets.show(asTerminalShows(text), isCut)).join('\n')
}
