import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/execution/cause.ts'

describe('the cause is reported', () => {
  it.each([
    ['   error: boom  ', { text: 'error: boom' }],
    ['  good bye  ', { text: 'good bye', isLastLine: true }],
    ['boom it went\nERROR    ', { text: 'boom it went', isLastLine: true }],
  ])('without the white space around it: %j', (log, cause) => {
    expect(findCause(log)).toEqual(cause)
  })

  it('whole, up to a thousand characters', () => {
    const longest = `error: ${'x'.repeat(993)}`
    expect(findCause(longest)?.text).toBe(longest)
    expect(findCause(`${longest}x`)?.text).toBe(`${longest.slice(0, 999)}…`)
  })
})

describe('the cause is sought', () => {
  it('in the first 2000 characters of a line', () => {
    const start = 'x '.repeat(1000)
    expect(findCause(`${start}error`)).toMatchObject({ isLastLine: true })
  })
})
