import { spawnSync } from 'node:child_process'
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
    ['999999999', 999_999_999_000],
    ['9999999999', 999_999_999_000],
    ['1000000000000000000000', 999_999_999_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
    ['Fri Nov 20 12:00:30 2026', 30_000],
    ['Fri, 20 Nov 2026 11:59:59 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sat, 21 Nov 2026 12:00:00 GMT', 86_400_000],
  ])('%j: %d ms', (header, span) => expect(parseRetryAfter(header, now)).toBe(span))

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
    '12:00:30 GMT',
    'NaN',
    ', Fri, 20 Nov 2026 12:00:30 GMT',
    'Fri, 20 Nov 2026 12:00:30 GMT (x)',
    'Fri, 20 Nov 2026 1:00:30 GMT',
    'Fri, 20 Nov 2026 12:00:3 GMT',
    'Fri Nov 20 12:00:30 6',
  ])('%j: nothing', (header) => expect(parseRetryAfter(header, now)).toBeUndefined())

  it('a date without a zone: in UTC, whatever the zone of the machine', () => {
    const module = new URL('../../../src/service/backoff.ts', import.meta.url).href
    const script = `import { parseRetryAfter } from ${JSON.stringify(module)}
      console.log(parseRetryAfter('Fri Nov 20 12:00:30 2026', ${String(now)}))`
    const options = { env: { ...process.env, TZ: 'America/New_York' }, encoding: 'utf8' } as const

    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options)

    expect(stdout.trim()).toBe('30000')
  })

  it.each([
    ['Fri, 20 Nov 2026 11:00:00 GMT', 30_000],
    ['yesterday', 3_630_000],
  ])('a date is measured from the Date header %j, or from now: %d ms', (sentAt, span) => {
    const header =
      sentAt === 'yesterday' ? 'Fri, 20 Nov 2026 13:00:30 GMT' : 'Fri, 20 Nov 2026 11:00:30 GMT'
    expect(parseRetryAfter(header, now, sentAt)).toBe(span)
  })

  it('any header: a finite span that is not negative, or nothing', () => {
    const header = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.integer().map(String),
      fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'NaN' : date.toUTCString())),
      fc.stringMatching(/^[A-Za-z]{3,9},? [ -~]{0,12}\d\d:\d\d:\d\d[ -~]{0,8}(GMT|\d{4})$/),
    )
    fc.assert(
      fc.property(header, (value) => {
        const span = parseRetryAfter(value, now)
        return span === undefined || (Number.isFinite(span) && span >= 0)
      }),
    )
  })
})
