/** Prepares untrusted texts and JSON values for people. */
import type { Show } from './secrets.ts'
import { clean, lines } from './untrusted-text.ts'

/** Returns the object with each of its texts redacted. */
export function showTexts(texts: Readonly<Record<string, string | undefined>>, show: Show) {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text && show(text)]))
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
