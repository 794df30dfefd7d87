import { describe, expect, it } from '@jest/globals'
import { stopWords } from '../../../../src/execution/batch/batch-types.ts'
import type { Notice } from '../../../../src/messages/notice.ts'
import type { BatchEnd } from '../../../../src/messages/batch/end.ts'
import { batchCause, describeBatchFailure } from '../../../../src/messages/batch/batch-failure.ts'
import { judgeBatch, type BatchCircumstances } from '../../../../src/messages/batch/judge-batch.ts'
import { batchEndOf, batchReportOf, type GivenRow } from '../../../support/batch-rows.ts'
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
const notStarted = { conclusion: 'not-started' } as const
const prevented = { ...notStarted, cause: stopWords.credentials } as const

describe('the one notice of a batch', () => {
  it('has the first five failures, the advice of the first one, and what a re-run does', () => {
    const failed = Array.from({ length: 7 }, (_, at) => ({
      ...error,
      cause: `ValueError: row ${at}`,
      label: `city ${at}`,
      advice: `Fix the automation of city ${at}.`,
    }))
    const notice = noticeOf([{}, ...failed, {}])

    expect(notice.title).toBe('report: 7 of 9 runs failed')
    const lines = failed.slice(0, 5).map(({ label, cause }, at) => {
      return `Run ${at + 2} (${label}) failed: ${cause} (execution id-${at + 2})`
    })
    const next = ['Next: Fix the automation of city 0.', keeps]
    expect(messageOf(notice).split('\n')).toEqual([...lines, ...next])
  })

  it('counts equal causes, and says how runs get names', () => {
    const lines = messageOn([error, error, { ...error, cause: 'KeyError' }, error]).split('\n')

    expect(lines).toEqual([
      'Run 1 failed: ValueError: no rows (execution id-1), and 2 other runs too',
      'Run 3 failed: KeyError (execution id-3)',
      'Next: Fix it. The input label gives each run a name.',
      keeps,
    ])
  })

  it.each<[string, GivenRow[], Partial<BatchEnd>?]>([
    ['report: 1 of 2 runs failed (1 allowed by fail-on)', [{ ...error, failsStep: false }, error]],
    [
      'report: 1 of 4 runs failed (1 unknown, 1 not started)',
      [success, error, unknown, notStarted],
    ],
    [
      'report: the result of 1 of 2 runs is missing (1 not started)',
      [{ ...success, cause: 'no answer', failsStep: true }, prevented],
    ],
    [
      'report: this step was cancelled (1 succeeded, 1 failed, 1 unfinished)',
      [success, error, cancelled],
      { cancelled: true },
    ],
  ])('has the title %s', (title, runs, end = {}) => {
    expect(noticeOf(runs, end).title).toBe(title)
  })

  it.each<[string, GivenRow[], Partial<BatchEnd>?]>([
    ['Run 2 failed: ValueError: no rows (execution id-2)', [success, error, timedOut]],
    ['Run 2 failed: ValueError: no rows (execution id-2)', [prevented, error]],
    [
      'Run 2 is no longer followed: the step was cancelled (execution id-2)',
      [prevented, { ...cancelled, cause: stopWords.cancelled, advice: 'Fetch the run.' }],
    ],
    ['Run 1 was not started: the service refused the credentials', [prevented]],
    ['The step was cancelled before it published everything.', [success], { cancelled: true }],
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

  it('says what helps if runs of an earlier attempt keep the slots', () => {
    const stuck = { ...timedOut, resumed: true }
    expect(messageOn([stuck, prevented])).toMatch(/\nRuns of an earlier attempt keep their slots/)
    expect(messageOn([stuck, error]).endsWith(keeps)).toBe(true)
    expect(messageOn([timedOut, prevented]).endsWith(keeps)).toBe(true)
  })

  it('says that a re-run starts runs again whose start got no clear answer', () => {
    expect(messageOn([error, unclear])).toMatch(
      /\nA re-run of this job starts each run again whose start got no clear answer\. Look for .* first\.$/,
    )
  })
})

it('the output cause is the first failure, also if fail-on allows it, or empty', () => {
  const causeOf = (runs: readonly GivenRow[]) => batchCause(batchEndOf(runs))
  const words = 'Run 2 failed: ValueError: no rows (execution id-2)'
  expect(causeOf([{}, error])).toBe(words)
  expect(causeOf([{}, { ...error, failsStep: false }])).toBe(words)
  expect(causeOf([{}, {}])).toBe('')
})

describe('the verdict on a batch', () => {
  const known = { automation: 'report', artifact: undefined, resultsFile: undefined }
  const facts = { ...known, isOnRecord: true, lost: [], outputLost: undefined, cancelled: false }
  const passes = { fails: false, notice: undefined, cause: '' }
  const lost = [{ output: 'junit-file', why: 'no space' }]
  it.each<[string, GivenRow, Partial<BatchCircumstances>, object]>([
    ['passes if all runs succeeded', {}, {}, { ...passes, lines: [] }],
    [
      'is red if the step was cancelled after all runs had succeeded',
      {},
      { cancelled: true },
      { fails: true, notice: { name: 'batch-cancelled' } },
    ],
    ['is red if a file was lost', {}, { lost }, { fails: true, alsoLost: [] }],
    [
      'is red if an output was lost',
      {},
      { outputLost: { output: 'total', why: 'disk full (ENOSPC)' } },
      {
        fails: true,
        cause: 'total could not be written: disk full (ENOSPC).',
        notice: { advice: [expect.stringMatching(/Free space .*; then re-run this job\.$/)] },
      },
    ],
    ['names a lost file also if a run is red', error, { lost }, { fails: true, alsoLost: lost }],
    [
      'says what to do about a run that fail-on allows and that may be running',
      { ...timedOut, failsStep: false },
      {},
      { fails: false, allowed: { count: '1' }, lines: [keeps] },
    ],
  ])('%s', (_, run, given, verdict) => {
    expect(judgeBatch(batchReportOf([run]), { ...facts, ...given })).toMatchObject(verdict)
  })
})
