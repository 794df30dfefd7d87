import { expect, it } from '@jest/globals'
import type { Conclusion, Outcome } from '../../../../src/execution/conclusion.ts'
import {
  continueRecord,
  runAfterEnd,
  type RecordedRun,
  type StepRecord,
} from '../../../../src/runner/record/record.ts'

const now = 90_000
const unclear = (attempt: number): RecordedRun => ({ kind: 'unclear', attempt })
const started = (executionId: string, attempt = 1) =>
  ({ kind: 'known', attempt, executionId }) as const
const ended = (executionId: string, outcome: Outcome, attempt = 1, endedAt = now) => {
  return { ...started(executionId, attempt), outcome, endedAt } as const
}
const kept = ended('e1', 'success', 1, 60_000)
const timed = { ...started('e1'), startedAt: 30_000 }

it.each<[string, RecordedRun | undefined, Conclusion, string | undefined, RecordedRun | undefined]>(
  [
    ['nothing was started', undefined, 'refused', undefined, undefined],
    ['a later start is refused', unclear(1), 'refused', undefined, unclear(1)],
    ['a later start is not sent', unclear(1), 'not-started', undefined, unclear(1)],
    ['a start got no clear answer', started('e1'), 'unknown', undefined, unclear(2)],
    ['the step was cancelled before a start', started('e1'), 'cancelled', undefined, started('e1')],
    ['its end was seen', started('e1'), 'error', 'e1', ended('e1', 'error')],
    ['it was taken over', timed, 'success', 'e1', { ...ended('e1', 'success'), ...timed }],
    ['its result is invalid', kept, 'invalid-result', 'e1', { ...kept, outcome: 'invalid-result' }],
    ['the end of a new one was seen', kept, 'stopped', 'e2', ended('e2', 'stopped', 2)],
    ['the end of a first one was seen', undefined, 'success', 'e1', ended('e1', 'success', 2)],
    ['it is still running', started('e1'), 'timed-out', 'e1', started('e1')],
    ['a new one is still running', kept, 'timed-out', 'e2', started('e2', 2)],
    ['its known end was not seen again', kept, 'timed-out', 'e1', kept],
    ['the check of its result is cancelled', kept, 'cancelled', 'e1', kept],
    ['the result could not be validated', kept, 'unknown', 'e1', kept],
  ],
)('the record of a run after attempt 2, if %s', (_, before, conclusion, executionId, after) => {
  expect(runAfterEnd(before, { conclusion, executionId }, 2, now)).toEqual(after)
})

const runs = { one: kept, two: started('e2'), three: unclear(1) }
const open = { two: started('e2'), three: unclear(1) }
const recordOf = (isReported: boolean, given: Record<string, RecordedRun>): StepRecord => {
  return { savedBy: 1, isFinal: true, isReported, runs: new Map(Object.entries(given)) }
}

it.each([
  ['all runs if they were not reported', 'resume', false, recordOf(false, runs)],
  [
    'the runs that may still be running if all were reported',
    'resume',
    true,
    recordOf(false, open),
  ],
  ['all runs with `reuse`', 'reuse', true, recordOf(true, runs)],
] as const)('a later attempt saves %s', (_, onRerun, isReported, saved) => {
  expect(continueRecord(recordOf(isReported, runs), onRerun)).toEqual(saved)
})
