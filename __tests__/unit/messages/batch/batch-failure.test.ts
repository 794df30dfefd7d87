import { expect, it } from '@jest/globals'
import { stopWords } from '../../../../src/execution/batch/batch-types.ts'
import type { BatchEnd } from '../../../../src/messages/batch/end.ts'
import { batchCause, describeBatchFailure } from '../../../../src/messages/batch/batch-failure.ts'
import { judgeBatch, type BatchCircumstances } from '../../../../src/messages/batch/judge-batch.ts'
import { batchEndOf, batchReportOf, type GivenRow } from '../../../support/batch-rows.ts'
import { messageOf } from '../../../support/run-report.ts'

const keeps =
  'A re-run of this job keeps successful runs, takes over runs in progress and starts the rest.'
const success = {}
const error = { conclusion: 'error', cause: 'ValueError: no rows', advice: 'Fix it.' } as const
const allowed = { ...error, failsStep: false }
const timedOut = { conclusion: 'timed-out' } as const
const cancelled = { conclusion: 'cancelled', cause: stopWords.cancelled, advice: 'Fetch.' } as const
const unknown = { conclusion: 'unknown' } as const
const unclear = { conclusion: 'unknown', execution_id: null } as const
const prevented = { conclusion: 'not-started', cause: stopWords.credentials } as const
const stuck = { ...timedOut, isTakenOver: true }

const failed = Array.from({ length: 7 }, (_, at) => ({
  ...error,
  cause: `ValueError: row ${at}`,
  label: `city ${at}`,
  advice: `Fix the automation of city ${at}.`,
}))
const firstFive = failed.slice(0, 5).map(({ label, cause }, at) => {
  return `Run ${at + 2} (${label}) failed: ${cause} (execution id-${at + 2})`
})

it.each<[string, GivenRow[], string[], Partial<BatchEnd>?]>([
  [
    'report: 7 of 9 runs failed',
    [success, ...failed, success],
    [...firstFive, 'Next: Fix the automation of city 0.', keeps],
  ],
  [
    'report: 4 of 4 runs failed',
    [error, error, { ...error, cause: 'KeyError' }, error],
    [
      'Run 1 failed: ValueError: no rows (execution id-1), and 2 other runs too',
      'Run 3 failed: KeyError (execution id-3)',
      'Next: Fix it. The input label gives each run a name.',
      keeps,
    ],
  ],
  [
    'report: 1 of 2 runs failed (1 allowed by fail-on)',
    [allowed, error],
    ['Run 2 failed: ValueError: no rows (execution id-2)'],
  ],
  [
    'report: 1 of 4 runs failed (1 unknown, 1 not started)',
    [success, prevented, error, unknown],
    ['Run 3 failed: ValueError: no rows (execution id-3)'],
  ],
  [
    'report: the result of 1 of 2 runs is missing (1 not started)',
    [prevented, { ...success, cause: 'no answer', failsStep: true }],
    ['Run 2 succeeded, but no answer (execution id-2)'],
  ],
  [
    'report: this step was cancelled (1 succeeded, 1 unfinished, 1 not started)',
    [success, prevented, cancelled],
    ['Run 3 is no longer followed: the step was cancelled (execution id-3)'],
    { cancelled: true },
  ],
  [
    'report: this step was cancelled (1 succeeded)',
    [success],
    ['The step was cancelled before it published everything.'],
    { cancelled: true },
  ],
])('the notice of a batch: %s', (title, runs, lines, end = {}) => {
  const notice = describeBatchFailure(batchEndOf(runs, end))
  expect(notice.title).toBe(title)
  expect(messageOf(notice).split('\n').slice(0, lines.length)).toEqual(lines)
})

const repeats =
  /^A re-run of this job may not find the record of these runs, and may start them all again\. Instead, \S+ fetches a run by its execution id\.$/
it.each<[GivenRow[], string | RegExp, Partial<BatchEnd>?]>([
  [[success, error], repeats, { isOnRecord: false }],
  [[success, error], repeats, { needsOtherCredentials: true }],
  [[timedOut, unclear], repeats, { isOnRecord: false }],
  [[error, prevented], keeps, { isOnRecord: false }],
  [[stuck, prevented], /^Runs of an earlier attempt keep their slots/],
  [[stuck, error], keeps],
  [[timedOut, prevented], keeps],
  [[error, unclear], /^A re-run of this job starts each run again whose start got no clear answer/],
])('the last line of a notice says what a re-run does: %j', (runs, words, end = {}) => {
  expect(describeBatchFailure(batchEndOf(runs, end)).advice.at(-1)).toMatch(words)
})

it('the output cause is the first failure, also if fail-on allows it, or empty', () => {
  const words = 'Run 2 failed: ValueError: no rows (execution id-2)'
  expect(batchCause(batchEndOf([success, allowed]))).toBe(words)
  expect(batchCause(batchEndOf([success, success]))).toBe('')
})

const known = { automation: 'report', artifact: undefined, resultsFile: undefined }
const facts = { ...known, isOnRecord: true, lost: [], outputLost: undefined, cancelled: false }
const lost = [{ output: 'junit-file', why: 'no space' }]
const outputLost = { output: 'total', why: 'disk full (ENOSPC)' }

it.each<[string, GivenRow, Partial<BatchCircumstances>, object]>([
  ['passes if all runs succeeded', success, {}, { fails: false, cause: '', lines: [] }],
  ['is red after a cancellation', success, { cancelled: true }, { fails: true }],
  ['is red if a file was lost', success, { lost }, { fails: true, alsoLost: [] }],
  [
    'is red if an output was lost',
    success,
    { outputLost },
    {
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
])('the verdict on a batch %s', (_, run, given, verdict) => {
  expect(judgeBatch(batchReportOf([run]), { ...facts, ...given })).toMatchObject(verdict)
})
