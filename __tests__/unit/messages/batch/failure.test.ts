import { describe, expect, it } from '@jest/globals'
import type { Notice } from '../../../../src/messages/notice.ts'
import type { BatchEnd } from '../../../../src/messages/batch/end.ts'
import { batchCause, describeBatchFailure } from '../../../../src/messages/batch/failure.ts'
import { batchEndOf, type GivenRow } from '../../../support/batch-rows.ts'
import { messageOf } from '../../../support/run-report.ts'

function noticeOf(runs: readonly GivenRow[], end: Partial<BatchEnd> = {}): Notice {
  return describeBatchFailure(batchEndOf(runs, end))
}

const messageOn = (...given: Parameters<typeof noticeOf>) => messageOf(noticeOf(...given))

const keeps =
  'A re-run of this job keeps successful runs, takes over runs in progress and starts the rest.'
const success = {}
const error = { conclusion: 'error', cause: 'ValueError: no rows', advice: 'Fix it.' } as const
const timedOut = { conclusion: 'timed-out' } as const
const cancelled = { conclusion: 'cancelled' } as const
const unknown = { conclusion: 'unknown' } as const
const unclear = { conclusion: 'unknown', execution_id: null } as const
const lost = { failsStep: true } as const
const notStarted = { conclusion: 'not-started' } as const
const prevented = { ...notStarted, stopReason: 'credentials' } as const

describe('the one notice of a batch', () => {
  it('has the counts, the first five failures, the advice of the first one, and what a re-run does', () => {
    const failed = Array.from({ length: 7 }, (_, at) => ({
      conclusion: 'error' as const,
      label: `city ${at}`,
      cause: `ValueError: no rows in ${at}`,
      advice: `Fix the automation of city ${at}.`,
    }))

    expect(noticeOf([{}, ...failed, {}])).toMatchObject({
      name: 'batch-failed',
      title: 'report: 7 of 9 runs failed',
    })
    expect(messageOn([{}, ...failed, {}]))
      .toBe(`Run 2 (city 0) failed: ValueError: no rows in 0 (execution id-2)
Run 3 (city 1) failed: ValueError: no rows in 1 (execution id-3)
Run 4 (city 2) failed: ValueError: no rows in 2 (execution id-4)
Run 5 (city 3) failed: ValueError: no rows in 3 (execution id-5)
Run 6 (city 4) failed: ValueError: no rows in 4 (execution id-6)
Next: Fix the automation of city 0.
${keeps}`)
  })

  it.each<[string, GivenRow[], Partial<BatchEnd>?]>([
    ['report: 1 of 1 run failed', [error]],
    ['report: 1 of 2 runs failed (1 allowed by fail-on)', [{ ...error, failsStep: false }, error]],
    [
      'report: 1 of 4 runs failed (1 unknown, 1 not started)',
      [success, error, unknown, notStarted],
    ],
    ['report: the outcome of 1 of 2 runs is unknown', [success, unknown]],
    ['report: 1 of 2 runs did not finish in time (1 not started)', [timedOut, prevented]],
    ['report: 1 of 2 runs not started', [success, notStarted]],
    ['report: the result of 1 of 2 runs is missing', [success, lost]],
    [
      'report: this step was cancelled (1 succeeded, 1 failed, 1 unfinished)',
      [success, error, cancelled],
      cancelled,
    ],
  ])('has the title %s', (title, runs, end = {}) => {
    expect(noticeOf(runs, end).title).toBe(title)
  })

  it.each<[string, GivenRow[], Partial<BatchEnd>?]>([
    ['Run 2 failed: ValueError: no rows (execution id-2)', [success, error, timedOut]],
    ['Run 2 failed: ValueError: no rows (execution id-2)', [prevented, error]],
    ['Run 1 was not started: the service refused the credentials', [prevented, prevented]],
    ['The step was cancelled before it published everything.', [success], cancelled],
  ])('begins with the first failure: %s', (line, runs, end = {}) => {
    expect(noticeOf(runs, end).why.slice(0, 1)).toEqual([line])
  })

  it('says that a re-run may repeat runs that it cannot find', () => {
    const repeats =
      /\nA re-run of this job may not find the record of these runs, and may start them all again\. .*instead\.$/
    for (const end of [{ isOnRecord: false }, { needsOtherCredentials: true }]) {
      expect(messageOn([success, error], end)).toMatch(repeats)
      expect(messageOn([timedOut, unclear], end)).toMatch(repeats)
      expect(messageOn([error, notStarted], end).endsWith(keeps)).toBe(true)
    }
  })

  it('says that a re-run starts runs again whose start got no clear answer', () => {
    expect(messageOn([error, unclear])).toMatch(
      /\nA re-run of this job starts each run again whose start got no clear answer\. Look for .* first\.$/,
    )
  })
})

describe('the output cause of a batch', () => {
  const causeOf = (runs: readonly GivenRow[]) => batchCause(batchEndOf(runs))

  it('is the first line of the annotation, also if fail-on allows the failure', () => {
    const words = 'Run 2 failed: ValueError: no rows (execution id-2)'
    expect(causeOf([{}, error])).toBe(words)
    expect(causeOf([{}, { ...error, failsStep: false }])).toBe(words)
  })

  it('is empty if all runs succeeded, or if there are none', () => {
    expect([causeOf([{}, {}]), causeOf([])]).toEqual(['', ''])
  })
})
