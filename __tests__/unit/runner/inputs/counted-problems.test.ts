import { describe, expect, it } from '@jest/globals'
import { durationBetween } from '../../../../src/runner/inputs/duration.ts'
import { failOn } from '../../../../src/runner/inputs/fail-on.ts'
import { webhookHeaders } from '../../../../src/runner/inputs/webhook-headers.ts'
import { outcome, problemsOf } from './outcome.ts'

describe('problems of which just as many are there as are shown', () => {
  it('are not followed by a count of more: header lines', async () => {
    expect(await problemsOf(webhookHeaders, 'no colon\n'.repeat(10))).toHaveLength(10)
  })

  it('are not followed by a count of more: words of fail-on', async () => {
    expect((await problemsOf(failOn, 'a,b,c,d,e')).join()).toMatch(/found "a", "b", "c", "d", "e"$/)
    expect((await problemsOf(failOn, 'a,b,c,d,e,f')).join()).toMatch(/"e" and 1 more$/)
  })
})

describe('header texts that hold little', () => {
  it('may have lines of white space alone', async () => {
    expect(await outcome(webhookHeaders, 'X-A: a\n   \n\t\n')).toEqual({ 'X-A': 'a' })
  })

  it('may be an object without members', async () => {
    expect(await outcome(webhookHeaders, '{}')).toEqual({})
  })

  it('may not be a value of white space alone', async () => {
    expect(await problemsOf(webhookHeaders, '{"X-A": "  "}')).toEqual([
      'entry 1: expected a value, found none; is the secret it comes from set?',
    ])
  })
})

describe('the bounds of a duration', () => {
  it('are durations themselves, or the schema cannot be made', () => {
    expect(() => durationBetween('1 s', '1h')).toThrow(new RangeError('not a duration: 1 s'))
  })
})
