import { describe, expect, it } from '@jest/globals'
import { isLoopback } from '../../../src/service/addresses.ts'
import { parseRetryAfter } from '../../../src/service/retry-after.ts'

const now = Date.UTC(2026, 10, 20, 12, 0, 0)

// Date.parse alone would take each of them.
describe('Retry-After is no date that', () => {
  it.each([
    ['begins with something else', ', Fri, 20 Nov 2026 12:00:30 GMT'],
    ['goes on after it', 'Fri, 20 Nov 2026 12:00:30 GMT (x)'],
    ['has an hour of one digit', 'Fri, 20 Nov 2026 1:00:30 GMT'],
    ['has a second of one digit', 'Fri, 20 Nov 2026 12:00:3 GMT'],
    ['has a year of one digit', 'Fri Nov 20 12:00:30 6'],
  ])('%s: %s', (_, header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined()
  })
})

describe('a loopback host', () => {
  it('may have more than one digit in each of its numbers', () => {
    expect(isLoopback('127.10.200.30')).toBe(true)
  })
})
