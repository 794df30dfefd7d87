import { describe, expect, it } from '@jest/globals'
import { TimeUp } from '../../../src/clock.ts'
import type { Conclusion } from '../../../src/execution/conclusion.ts'
import {
  conclusionOf,
  endOfWatch,
  isReportable,
  lostResultOf,
  mayBeTakenOver,
  problemsIn,
  statusOf,
  type End,
  type WatchEnd,
} from '../../../src/execution/report.ts'
import { afterAnswer, afterFailure, nothingSeen, type Seen } from '../../../src/execution/seen.ts'
import { finished, record, running } from '../../support/execution-status.ts'
import { httpError } from '../../support/failures.ts'
import {
  collected,
  executionId,
  invalid,
  lost,
  noFiles,
  notSent,
  refused,
  timedOut,
  unclear,
} from '../../support/run-report.ts'

const no = httpError(422)
const cancelled: End = { kind: 'cancelled', executionId, seen: nothingSeen }
const notMade = { kind: 'not-made', why: 'this took too long' } as const

describe('the conclusion of a run', () => {
  it.each<[Conclusion, string, End | WatchEnd]>([
    ['refused', 'a refused start', refused(no)],
    ['not-started', 'a start that was not sent', notSent(no)],
    ['unknown', 'a start without a clear answer', unclear(no)],
    ['unknown', 'a run that can no longer be watched', lost('rejected', no)],
    ['timed-out', 'a run that outlasts the timeout', timedOut()],
    ['cancelled', 'a run whose step was cancelled', cancelled],
    ['error', 'a run that raised an error', collected({ outcome: 'error' })],
    ['success', 'a result that is valid, or was not to be validated', collected()],
    ['invalid-result', 'an invalid result', collected({ validation: invalid('no') })],
    ['unknown', 'a result that could not be validated', collected({ validation: notMade })],
    [
      'cancelled',
      'a run whose files were cut by a cancellation',
      collected({ validation: { kind: 'interrupted' } }),
    ],
  ])('is %s: %s', (conclusion, _, end) => {
    expect(conclusionOf(end)).toBe(conclusion)
  })
})

describe('a watch that has stopped', () => {
  const failed = record({ error: true })

  const timeUp = AbortSignal.abort(new TimeUp('no time is left'))
  const cancelledStep = AbortSignal.abort()

  it.each<[string, Seen, AbortSignal, object]>([
    ['without a proof', afterAnswer(nothingSeen, running, 0), timeUp, { kind: 'timed-out' }],
    ['without any answer', afterFailure(nothingSeen, no, 0), timeUp, { kind: 'timed-out' }],
    [
      'by a cancellation',
      afterAnswer(nothingSeen, running, 0),
      cancelledStep,
      { kind: 'cancelled' },
    ],
    [
      'by a cancellation, after a flag',
      afterAnswer(nothingSeen, failed, 0),
      cancelledStep,
      { kind: 'cancelled' },
    ],
    ['after a flag', afterAnswer(nothingSeen, failed, 0), timeUp, { kind: 'timed-out' }],
    [
      'with a proof, in spite of a cancellation',
      afterAnswer(nothingSeen, finished, 0),
      cancelledStep,
      { kind: 'finished', outcome: 'success', status: finished },
    ],
    [
      'by refused credentials',
      afterFailure(nothingSeen, httpError(401), 0),
      timeUp,
      { kind: 'lost', why: 'credentials' },
    ],
  ])('%s', (_, seen, until, end) => {
    expect(endOfWatch(executionId, seen, until)).toMatchObject({ ...end, executionId, seen })
  })
})

const unavailable = { kind: 'unavailable', why: 'the store answered 503' } as const
const lostFiles = { ...noFiles, result: unavailable }

describe('what an end shows', () => {
  it.each<[string, End, object]>([
    ['a start that was not sent', notSent(no), {}],
    ['a wait', timedOut(), { status: running }],
    ['a run without files', collected(), { status: finished }],
    [
      'a result that was lost',
      collected({ files: lostFiles }),
      { status: finished, lost: unavailable },
    ],
    [
      'a failed run without a result',
      collected({ files: lostFiles, outcome: 'error' }),
      { status: finished },
    ],
    [
      'an invalid result',
      collected({ validation: invalid('no rows') }),
      { status: finished, problems: { lines: ['no rows'], count: 1 } },
    ],
  ])('%s', (_, end, shown) => {
    const found = { status: statusOf(end), problems: problemsIn(end), lost: lostResultOf(end) }
    expect(found).toEqual({ status: undefined, problems: undefined, lost: undefined, ...shown })
  })
})

it.each<[string, End, boolean, boolean]>([
  ['a success', collected(), true, true],
  ['a lost result', collected({ files: lostFiles }), false, true],
  ['a failure', collected({ outcome: 'error' }), true, false],
  ['an invalid result', collected({ validation: invalid('no') }), true, false],
  ['a result that was not validated', collected({ validation: notMade }), false, true],
  [
    'a result that was not fetched',
    collected({ validation: { kind: 'interrupted' } }),
    false,
    true,
  ],
  ['a timeout', timedOut(), false, true],
  ['a cancelled wait', cancelled, false, true],
  ['a wait that lost access', lost('credentials', no), false, true],
  ['a run that is gone', lost('not-found', no), false, false],
  ['a start without a clear answer', unclear(no), false, false],
])('%s can be reported, and is taken over unless it was: %j', (_, end, isReported, isTakenOver) => {
  expect([isReportable(end), mayBeTakenOver(end)]).toEqual([isReported, isTakenOver])
})
