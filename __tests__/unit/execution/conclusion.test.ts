import { describe, expect, it } from '@jest/globals'
import {
  concludeFrom,
  conclusions,
  type Conclusion,
  failOnConclusions,
  failsStep,
  outcomes,
  retriableOutcomes,
} from '../../../src/execution/conclusion.ts'

describe('the outcome that the flags mean', () => {
  // The flags error, stopped and container_error, and the outcome. All combinations are possible.
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

describe('the conclusions', () => {
  it('that inputs and records may name', () => {
    const seen = ['success', 'error', 'container-error', 'stopped', 'invalid-result']
    expect(outcomes).toEqual(seen)
    expect(failOnConclusions).toEqual([
      'error',
      'container-error',
      'stopped',
      'timed-out',
      'invalid-result',
    ])
    expect(retriableOutcomes).toEqual(['error', 'container-error', 'invalid-result'])
  })

  it('that fail a step: those in fail-on, and those with an unknown outcome', () => {
    const all = Object.keys(conclusions) as Conclusion[]
    const failing = (failOn: typeof failOnConclusions) =>
      all.filter((conclusion) => failsStep(conclusion, new Set(failOn)))
    const always: Conclusion[] = ['cancelled', 'refused', 'not-started', 'unknown']
    expect(failing([])).toEqual(always)
    expect(failing(['stopped'])).toEqual(['stopped', ...always])
    expect(failing(failOnConclusions)).toEqual([...failOnConclusions, ...always])
  })
})
