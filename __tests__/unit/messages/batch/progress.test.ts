import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { describeBatchProgress } from '../../../../src/messages/batch/progress.ts'
import { describeRun, shownRow } from '../../../../src/messages/batch/runs.ts'
import { maxIdLength } from '../../../../src/service/names.ts'
import { batchRow, type GivenRow } from '../../../support/batch-rows.ts'
import { hostileText } from '../../../support/hostile-text.ts'

const asItIs = (text: string) => text

describe('the line of a run that has ended', () => {
  it.each<[GivenRow, string]>([
    [{}, 'Run 1 succeeded after 2 min 10 s (execution id-1)'],
    [
      { index: 11, label: 'Berlin' },
      'Run 12 (Berlin) succeeded after 2 min 10 s (execution id-12)',
    ],
    [
      { conclusion: 'error', cause: 'ValueError: no rows' },
      'Run 1 failed after 2 min 10 s: ValueError: no rows (execution id-1)',
    ],
    [
      {
        conclusion: 'refused',
        cause: 'The service answered 400: seed.city is missing.',
        execution_id: null,
        duration: 100,
      },
      'Run 1 was refused after 0.1 s: The service answered 400: seed.city is missing.',
    ],
    [
      {
        conclusion: 'unknown',
        execution_id: null,
        duration: undefined,
        cause: 'socket hang up',
      },
      'Run 1 has an unknown outcome: socket hang up',
    ],
    [
      {
        resumed: true,
        attempts: 2,
      },
      'Run 1 succeeded after 2 min 10 s (execution id-1, the last of 2, taken over)',
    ],
  ])('%j', (given, line) => {
    expect(describeRun(shownRow(batchRow(given), asItIs))).toBe(line)
  })

  it('has the whole id, however long', () => {
    const executionId = 'e'.repeat(maxIdLength)
    const record = batchRow({ execution_id: executionId, conclusion: 'cancelled' })
    expect(describeRun(shownRow(record, asItIs))).toContain(executionId)
  })

  it('is one short line without commands, whatever label and cause are', () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.nat(3_000), (label, cause, more) => {
        const texts = { label: label.repeat(more), cause: cause + 'x'.repeat(more) }
        const line = describeRun(shownRow(batchRow({ ...texts, conclusion: 'error' }), asItIs))
        expect(line).toMatch(/^Run 1\b/)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]|##\[/u)
        expect(line.length).toBeLessThan(800)
        expect(line.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('the heartbeat', () => {
  const none = { total: 10, succeeded: 0, failed: 0, unknown: 0, unfinished: 0, notStarted: 0 }
  const early = {
    counts: none,
    running: 2,
    pending: 0,
    waiting: 8,
    heldFor: 0,
  }
  const late = {
    ...early,
    counts: { ...none, succeeded: 2, failed: 1 },
    waiting: 5,
  }
  const half = 'After 2 min 10 s: 3 of 10 finished (2 succeeded, 1 failed), 2 running, 5 waiting'

  it.each([
    [early, 'After 2 min 10 s: 0 of 10 finished, 2 running, 8 waiting'],
    [late, half],
    [
      { ...early, pending: 3, waiting: 5 },
      'After 2 min 10 s: 0 of 10 finished, 2 running, 3 being checked or waiting for a retry, 5 waiting',
    ],
    [{ ...late, heldFor: 42_000 }, `${half}; nothing is sent for 42 s (Retry-After)`],
  ])('%j', (snapshot, line) => {
    expect(describeBatchProgress(snapshot, 130_000)).toBe(line)
  })
})
