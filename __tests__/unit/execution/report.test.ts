import { describe, expect, it } from '@jest/globals'
import type { Conclusion } from '../../../src/execution/conclusion.ts'
import {
  conclusionOf,
  cancelledReport,
  endOfWatch,
  lostResultOf,
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
  reportOf,
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
    ['success', 'a result that was not validated on request', collected()],
    ['success', 'a valid result', collected({ validation: { kind: 'valid' } })],
    ['invalid-result', 'an invalid result', collected({ validation: invalid('no') })],
    ['unknown', 'a result that could not be validated', collected({ validation: notMade })],
    [
      'cancelled',
      'a run whose files were cut by a cancellation',
      collected({ validation: invalid('no'), isInterrupted: true }),
    ],
  ])('is %s: %s', (conclusion, _, end) => {
    expect(conclusionOf(end)).toBe(conclusion)
  })
})

describe('a watch that has stopped', () => {
  const failed = record({ error: true })

  it.each<[string, Seen, boolean, object]>([
    ['without a proof', afterAnswer(nothingSeen, running, 0), false, { kind: 'timed-out' }],
    ['without any answer', afterFailure(nothingSeen, no, 0), false, { kind: 'timed-out' }],
    ['by a cancellation', afterAnswer(nothingSeen, running, 0), true, { kind: 'cancelled' }],
    [
      'by a cancellation, after a flag',
      afterAnswer(nothingSeen, failed, 0),
      true,
      { kind: 'cancelled' },
    ],
    [
      'after a flag',
      afterAnswer(nothingSeen, failed, 0),
      false,
      { kind: 'finished', outcome: 'error', status: failed },
    ],
    [
      'with a proof, in spite of a cancellation',
      afterAnswer(nothingSeen, finished, 0),
      true,
      { kind: 'finished', outcome: 'success', status: finished },
    ],
    [
      'by refused credentials',
      afterFailure(nothingSeen, httpError(401), 0),
      false,
      { kind: 'lost', why: 'credentials' },
    ],
  ])('%s', (_, seen, isCancelled, end) => {
    const signal = isCancelled ? AbortSignal.abort() : new AbortController().signal

    expect(endOfWatch(executionId, seen, signal)).toMatchObject({ ...end, executionId, seen })
  })
})

describe('what an end shows', () => {
  const unavailable = { kind: 'unavailable', why: 'the store answered 503' } as const
  const files = { ...noFiles, result: unavailable }

  it.each<[string, End, object]>([
    ['a start that was not sent', notSent(no), {}],
    ['a wait', timedOut(), { status: running }],
    ['a run without files', collected(), { status: finished }],
    ['a result that was lost', collected({ files }), { status: finished, lost: unavailable }],
    ['a failed run without a result', collected({ files, outcome: 'error' }), { status: finished }],
    ['a valid result', collected({ validation: { kind: 'valid' } }), { status: finished }],
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

it('a step that is cancelled after the end of its run reports a cancellation, unless nothing was started', () => {
  const conclusionAfterCut = (end: End) => conclusionOf(cancelledReport(reportOf(end)).end)

  expect(conclusionAfterCut(collected({ outcome: 'error' }))).toBe('cancelled')
  expect(conclusionAfterCut(timedOut())).toBe('cancelled')
  expect(cancelledReport(reportOf(timedOut())).end.kind).toBe('cancelled')
  expect(cancelledReport(reportOf(collected())).end).toEqual(collected({ isInterrupted: true }))
  expect(conclusionAfterCut(refused(no))).toBe('refused')
  expect(conclusionAfterCut(unclear(no))).toBe('unknown')
})
