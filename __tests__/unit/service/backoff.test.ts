import { describe, expect, it } from '@jest/globals'
import { growingPause, parseRetryAfter } from '../../../src/service/backoff.ts'

describe('a growing pause', () => {
  it.each([
    [1_000, 1, 1_000, 1_000],
    [1_000, 2, 1_000, 1_500],
    [1_000, 4, 4_000, 6_000],
    [1_000, 5, 7_500, 11_250],
    [1_000, 100_000, 7_500, 11_250],
    // A first pause above the maximum does not grow and is not shortened.
    [90_000, 3, 90_000, 90_000],
  ])('that begins with %d ms is, after failure %d, from %d ms', (first, n, shortest, middle) => {
    expect(growingPause(first, n, 15_000, () => 0)).toBe(shortest)
    expect(growingPause(first, n, 15_000, () => 0.5)).toBe(middle)
  })
})

const now = Date.UTC(2026, 10, 20, 12, 0, 0)
const spanOf = (header: string | undefined, date?: string) =>
  parseRetryAfter({ 'retry-after': header, date }, now)

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['  7 ', 7_000],
    ['007', 7_000],
    // At most 24 days.
    ['2073600', 2_073_600_000],
    ['2073601', 2_073_600_000],
    ['1000000000000000000000', 2_073_600_000],
    ['Fri, 20 Nov 2027 12:00:00 GMT', 2_073_600_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:59:59 GMT', 0],
  ])('%j asks for a pause of %d ms', (header, span) => expect(spanOf(header)).toBe(span))

  it.each([
    ...[undefined, '', ' ', 'soon', '-5', '+5', '1.5', '1e3', '0x10', '5s', '5, 10', 'Monday 7'],
    ...['2026-11-20T12:00:30Z', 'Fri, 40 Nov 2026 12:00:30 GMT', 'soon GMT', 'NaN'],
  ])('%j asks for nothing', (header) => expect(spanOf(header)).toBeUndefined())

  it.each([
    ['an hour behind', 'Fri, 20 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026 13:00:30 GMT'],
    ['an hour ahead', 'Fri, 20 Nov 2026 11:00:00 GMT', ' Fri, 20 Nov 2026 11:00:30 GMT '],
    ['not comparable', 'today', 'Fri, 20 Nov 2026 12:00:30 GMT'],
    ['an hour behind', 'Fri, 20 Nov 2026 13:00:00 GMT', '30'],
  ])('counts from the Date of the answer, if the clock is %s (%j, %j)', (_, date, header) => {
    expect(spanOf(header, date)).toBe(30_000)
  })
})
