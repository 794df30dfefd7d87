/** Calculates the pause before a request is repeated. All times are in milliseconds. */

// No step waits longer than 24 days, and no timer of Node can.
const maxRetryAfter = 24 * 86_400_000

/**
 * Returns the pause that a `Retry-After` header requests, in milliseconds. The header has a number
 * of seconds or an HTTP date (RFC 9110, section 10.2.3). `now` is in milliseconds since the epoch.
 * Returns 0 for a date in the past, and undefined if the header is missing or invalid.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, maxRetryAfter)
  // `Date.parse` alone would also accept "-5" and "Monday 7".
  const date = value.endsWith('GMT') ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.min(date - now, maxRetryAfter))
}

/**
 * Returns the pause after failure number `n`. The pause is `first` at first and doubles with each
 * failure up to `max`. Jitter removes up to half of a pause, so that parallel jobs spread their
 * requests. No pause is shorter than `first`.
 */
export function growingPause(first: number, n: number, max: number, random: () => number): number {
  return Math.max(first, Math.min(first * 2 ** (n - 1), max) * (0.5 + random() / 2))
}
