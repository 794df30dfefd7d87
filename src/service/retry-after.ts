/**
 * The `Retry-After` of an answer as milliseconds from `now`: seconds or an HTTP date (RFC 9110,
 * 10.2.3). Undefined where there is none or it is neither; a date in the past is 0.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  if (!httpDate.test(value)) return undefined
  // The oldest of the three forms names no zone, and means UTC all the same.
  const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

// Date.parse alone would take "2", "-5" and "Monday 7" for dates.
const httpDate = /^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2} (GMT|\d{4})$/
