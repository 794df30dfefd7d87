import { describe, expect, it } from '@jest/globals'
import { surveyBatch } from '../../../../src/messages/batch/survey.ts'
import { shownRuns } from '../../../support/batch-records.ts'

describe('what is taken from the records of a batch', () => {
  it('has the worst first, each kind in the order of the seeds', () => {
    const conclusions = [
      'success',
      'not-started',
      'timed-out',
      'error',
      'unknown',
      'success',
      'refused',
      'cancelled',
    ] as const
    const runs = shownRuns(conclusions.map((conclusion) => ({ conclusion })))
    const { unsuccessful, succeeded } = surveyBatch(runs)

    expect(unsuccessful.map(({ number }) => number)).toEqual([4, 7, 5, 3, 8, 2])
    expect(succeeded.map(({ number }) => number)).toEqual([1, 6])
  })

  it('is bounded, whatever the number of runs', () => {
    const runs = Array.from({ length: 10_000 }, (_, index) =>
      index % 2 ? { conclusion: 'error' as const } : {},
    )
    const { unsuccessful, succeeded, causes, started, failing } = surveyBatch(shownRuns(runs))

    expect([unsuccessful, succeeded, causes, started].map(({ length }) => length)).toEqual([
      50, 50, 5, 100,
    ])
    expect(failing).toMatchObject({ failed: 5_000, unknown: 0 })
  })

  it('has the cause of a start that was not accepted, not of those that waited for their turn', () => {
    const { causes } = surveyBatch(
      shownRuns([
        { conclusion: 'not-started', cause: 'the service answered 429' },
        { conclusion: 'not-started', cause: 'too late', stopReason: 'timed-out' },
        { conclusion: 'not-started', cause: 'too late', stopReason: 'fail-fast' },
      ]),
    )

    expect(causes.map(({ number }) => number)).toEqual([1])
  })
})
