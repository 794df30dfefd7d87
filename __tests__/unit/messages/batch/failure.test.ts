import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { maxMessageLength, type Annotation } from '../../../../src/messages/annotation.ts'
import type { BatchEnd } from '../../../../src/messages/batch/end.ts'
import { batchCause, describeBatchFailure } from '../../../../src/messages/batch/failure.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { batchEndOf, type GivenRow } from '../../../support/batch-rows.ts'
import { hostileText } from '../../../support/hostile-text.ts'

const asItIs = (text: string) => text

function annotationOf(
  runs: readonly GivenRow[],
  end: Partial<BatchEnd> = {},
  show: (text: string) => string = asItIs,
): Annotation {
  return describeBatchFailure(batchEndOf(runs, end, show), show)
}

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

describe('the one annotation of a batch', () => {
  it('has the counts, the first five failures, the advice of the first one, and what a re-run does', () => {
    const failed = Array.from({ length: 7 }, (_, at) => ({
      conclusion: 'error' as const,
      label: `city ${at}`,
      cause: `ValueError: no rows in ${at}`,
      advice: `Fix the automation of city ${at}.`,
    }))

    expect(annotationOf([{}, ...failed, {}])).toEqual({
      title: 'report: 7 of 9 runs failed',
      entry: 'runs-failed',
      message: `Run 2 (city 0) failed: ValueError: no rows in 0 (execution id-2)
Run 3 (city 1) failed: ValueError: no rows in 1 (execution id-3)
Run 4 (city 2) failed: ValueError: no rows in 2 (execution id-4)
Run 5 (city 3) failed: ValueError: no rows in 3 (execution id-5)
Run 6 (city 4) failed: ValueError: no rows in 4 (execution id-6)
Next: Fix the automation of city 0.
${keeps}`,
    })
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
    expect(annotationOf(runs, end).title).toBe(title)
  })

  it.each<[string, GivenRow[], Partial<BatchEnd>?]>([
    ['Run 2 failed: ValueError: no rows (execution id-2)', [success, error, timedOut]],
    ['Run 2 failed: ValueError: no rows (execution id-2)', [prevented, error]],
    ['Run 1 was not started: the service refused the credentials', [prevented, prevented]],
    ['The step was cancelled before it published everything.', [success], cancelled],
  ])('begins with the first failure: %s', (line, runs, end = {}) => {
    expect(annotationOf(runs, end).message.split('\n', 1)).toEqual([line])
  })

  it('says that a re-run may repeat runs that it cannot find', () => {
    const repeats =
      /\nA re-run of this job may not find the record of these runs, and may start them all again\. .*instead\.$/
    for (const end of [{ isOnRecord: false }, { needsOtherCredentials: true }]) {
      expect(annotationOf([success, error], end).message).toMatch(repeats)
      expect(annotationOf([timedOut, unclear], end).message).toMatch(repeats)
      expect(annotationOf([error, notStarted], end).message.endsWith(keeps)).toBe(true)
    }
  })

  it('says that a re-run starts runs again whose start got no clear answer', () => {
    expect(annotationOf([error, unclear]).message).toMatch(
      /\nA re-run of this job starts each run again whose start got no clear answer\. Look for .* first\.$/,
    )
  })

  it('is short enough for the runner and without commands, whatever the foreign texts are', () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.nat(2_000), (one, other, times) => {
        const text = one + `${other}x`.repeat(times)
        const run = { conclusion: 'error', label: text, cause: text, execution_id: text } as const
        const { title, message } = annotationOf(Array(9).fill(run), { automation: text })

        expect(message.length).toBeLessThanOrEqual(maxMessageLength)
        expect(title.length).toBeLessThanOrEqual(200)
        expect(message.split('\n').at(-1)).toMatch(/^A re-run of this job .*\.$/)
        expect(title + message).not.toMatch(/[^\P{Cc}\n]|\u2028|[\u202a-\u202e]|##\[|^\s*::/mu)
      }),
      { numRuns: 50 },
    )
  })

  it('shows no secret, wherever it stands', () => {
    const secrets = new Secrets(() => undefined)
    secrets.add('correct-horse')
    const text = 'the correct-horse one'
    const run = { conclusion: 'error', label: text, cause: text } as const
    const { title, message } = annotationOf([run], { automation: text }, secrets.show)

    expect(title + message).not.toContain('correct-horse')
    expect(title + message).toContain('the *** one')
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
