import { describe, expect, it } from '@jest/globals'
import { concludeFrom } from '../../../src/execution/conclusion.ts'

describe('the outcome that the flags tell', () => {
  // error, stopped, container_error → outcome: every combination, since none is excluded.
  it.each([
    [false, false, false, 'success'],
    [true, false, false, 'error'],
    [false, true, false, 'stopped'],
    [true, true, false, 'error'],
    [false, false, true, 'container-error'],
    [true, false, true, 'container-error'],
    [false, true, true, 'container-error'],
    [true, true, true, 'container-error'],
  ])('error %s, stopped %s, container_error %s: %s', (error, stopped, container_error, outcome) => {
    expect(concludeFrom({ error, stopped, container_error })).toBe(outcome)
  })
})
