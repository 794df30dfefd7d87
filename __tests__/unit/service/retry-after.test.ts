import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseRetryAfter } from '../../../src/service/backoff.ts'

const now = Date.UTC(2026, 10, 20, 12, 0, 0)

describe('Retry-After asks to wait', () => {
  it.each([
    ['0', 0],
    ['1', 1_000],
    ['120', 120_000],
    ['  7 ', 7_000],
    ['007', 7_000],
    // At most 24 days.
    ['2073600', 2_073_600_000],
    ['2073601', 2_073_600_000],
    ['1000000000000000000000', 2_073_600_000],
    ['Fri, 20 Nov 2027 12:00:00 GMT', 2_073_600_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:59:59 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sat, 21 Nov 2026 12:00:00 GMT', 86_400_000],
  ])('%j: %d ms', (header, span) =>
    expect(parseRetryAfter({ 'retry-after': header }, now)).toBe(span),
  )

  it.each([
    undefined,
    '',
    ' ',
    'soon',
    '-5',
    '+5',
    '1.5',
    '1e3',
    '0x10',
    '5s',
    '5, 10',
    'Monday 7',
    '2026-11-20T12:00:30Z',
    'Fri, 40 Nov 2026 12:00:30 GMT',
    'Fri, 20 Nov 2026 99:00:30 GMT',
    'soon GMT',
    'NaN',
  ])('%j: nothing', (header) =>
    expect(parseRetryAfter({ 'retry-after': header }, now)).toBeUndefined(),
  )

  it.each([
    ['an hour behind', 'Fri, 20 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026 13:00:30 GMT', 30_000],
    ['an hour ahead', 'Fri, 20 Nov 2026 11:00:00 GMT', 'Fri, 20 Nov 2026 11:00:30 GMT', 30_000],
    ['not comparable', 'today', 'Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['an hour behind', 'Fri, 20 Nov 2026 13:00:00 GMT', '30', 30_000],
  ])('if the clock is %s: from Date %j until %j is %d ms', (_, date, header, span) => {
    expect(parseRetryAfter({ date, 'retry-after': header }, now)).toBe(span)
  })

  it('any header: a finite span that is not negative, or nothing', () => {
    const header = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.integer().map(String),
      fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'NaN' : date.toUTCString())),
      fc.stringMatching(/^[ -~]{0,24}GMT$/),
    )
    fc.assert(
      fc.property(header, (value) => {
        const span = parseRetryAfter({ 'retry-after': value }, now)
        return span === undefined || (Number.isFinite(span) && span >= 0)
      }),
    )
  })
})
