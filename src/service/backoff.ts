/** Calculates the pause before a request is repeated. All times are in milliseconds. */
import type { IncomingHttpHeaders } from 'node:http'

// No step waits longer than 24 days, and no timer of Node can.
const maxRetryAfter = 24 * 86_400_000

/**
 * Returns the pause that a `Retry-After` header requests, in milliseconds. The header has a number
 * of seconds or an HTTP date (RFC 9110, section 10.2.3). A date counts from the `Date` of the same
 * answer, because the clocks of runner and service may differ. If the answer has no `Date`, the date
 * counts from `now`, in milliseconds since the epoch. Returns 0 for a date in the past, and undefined
 * if the header is missing or invalid.
 */
export function parseRetryAfter(
  { 'retry-after': header, date: sentOn }: IncomingHttpHeaders,
  now: number,
): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, maxRetryAfter)
  const date = parseDate(value)
  if (date === undefined) return undefined
  return Math.max(0, Math.min(date - (parseDate(sentOn) ?? now), maxRetryAfter))
}

function parseDate(header = ''): number | undefined {
  // `Date.parse` alone would also accept "-5" and "Monday 7".
  const date = header.trim().endsWith('GMT') ? Date.parse(header) : NaN
  return Number.isNaN(date) ? undefined : date
}

/**
 * Returns the pause after failure number `n`. The pause is `first` at first and doubles with each
 * failure up to `max`. Jitter removes up to half of a pause, so that parallel jobs spread their
 * requests. No pause is shorter than `first`.
 */
export function growingPause(first: number, n: number, max: number, random: () => number): number {
  return Math.max(first, Math.min(first * 2 ** (n - 1), max) * (0.5 + random() / 2))
}
