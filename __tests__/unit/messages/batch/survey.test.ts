import { describe, expect, it } from '@jest/globals'
import type { RunRecord } from '../../../../src/execution/batch/record.ts'
import { stopWords } from '../../../../src/execution/batch/stop.ts'
import { surveyBatch } from '../../../../src/messages/batch/survey.ts'
import { runRecord, runRecords } from '../../../support/batch-records.ts'

const asItIs = (text: string) => text

function survey(records: readonly RunRecord[], duration = 500_000) {
  return surveyBatch(records, { total: records.length, duration }, asItIs)
}

describe('what is taken from the records of a batch', () => {
  it('has the worst rows first, each kind in the order of the seeds', () => {
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
    const { rows } = survey(runRecords(conclusions.map((conclusion) => ({ conclusion }))))

    expect(rows.map(({ number }) => number)).toEqual([4, 7, 5, 3, 8, 2, 1, 6])
  })

  it('is bounded, whatever the number of runs', () => {
    const runs = Array.from({ length: 10_000 }, (_, index) =>
      runRecord({ index, resultFile: 'r.json', ...(index % 2 ? { conclusion: 'error' } : {}) }),
    )
    const { rows, causes, results, bars, failing } = survey(runs)

    expect([rows, causes, results, bars].map(({ length }) => length)).toEqual([50, 5, 10, 100])
    expect(rows.every(({ conclusion }) => conclusion === 'error')).toBe(true)
    expect(failing).toMatchObject({ failed: 5_000, unknown: 0 })
  })

  it('has the cause of a start that was not accepted, not of those that waited for their turn', () => {
    const { causes } = survey([
      runRecord({ index: 0, conclusion: 'not-started', cause: 'the service answered 429' }),
      runRecord({ index: 1, conclusion: 'not-started', cause: stopWords['timed-out'] }),
      runRecord({ index: 2, conclusion: 'not-started', cause: stopWords['fail-fast'] }),
    ])

    expect(causes.map(({ number }) => number)).toEqual([1])
  })

  it('draws each of 100 runs, from its start to its end, or to the end of all', () => {
    const { bars } = survey([
      runRecord({ index: 0, startedAt: 1, endedAt: 5 }),
      runRecord({ index: 1, conclusion: 'not-started' }),
      runRecord({ index: 2, conclusion: 'timed-out', startedAt: 9, endedAt: undefined }),
    ])

    expect(bars).toMatchObject([
      { first: 1, last: 1, from: 1, to: 5, unfinished: 0 },
      { first: 3, last: 3, from: 9, to: 500_000, unfinished: 1 },
    ])
  })

  it('draws more runs as groups, by the numbers that they have', () => {
    // The third shard of four: every fourth seed.
    const runs = Array.from({ length: 250 }, (_, at) =>
      runRecord({ index: 4 * at + 2, conclusion: at === 4 ? 'unknown' : 'success' }),
    )
    const { bars } = survey(runs)

    expect(bars).toHaveLength(84)
    expect(bars.slice(0, 2)).toMatchObject([
      { first: 3, last: 11, runs: 3, from: 2_000, to: 140_000, unknown: 0 },
      { first: 15, last: 23, runs: 3, unknown: 1 },
    ])
    expect(bars.reduce((sum, bar) => sum + bar.runs, 0)).toBe(250)
  })
})
