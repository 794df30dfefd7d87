import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { describeBatchProgress } from '../../../../src/messages/batch/batch-progress.ts'
import { describeRun, shownRow } from '../../../../src/messages/batch/runs.ts'
import { maxIdLength } from '../../../../src/service/names.ts'
import { batchRow, type GivenRow } from '../../../support/batch-rows.ts'
import { hostileText } from '../../../support/hostile-text.ts'

const lineOf = (given: GivenRow) => describeRun(shownRow(batchRow(given), (text) => text))

describe('the line of a run that has ended', () => {
  const longId = 'e'.repeat(maxIdLength)
  it.each<[GivenRow, string]>([
    [
      { number: 12, label: 'Berlin' },
      'Run 12 (Berlin) succeeded after 2 min 10 s (execution id-12)',
    ],
    [
      { cause: 'the result is lost', execution_id: longId },
      `Run 1 succeeded after 2 min 10 s, but the result is lost (execution ${longId})`,
    ],
    [
      { conclusion: 'refused', cause: 'no city', execution_id: null, duration: 100 },
      'Run 1 was refused after 0.1 s: no city',
    ],
    [
      { conclusion: 'unknown', cause: 'socket hang up', execution_id: null, duration: undefined },
      'Run 1 has an unknown outcome: socket hang up',
    ],
    [
      { resumed: true, execution_count: 2 },
      'Run 1 succeeded after 2 min 10 s (execution id-1, the last of 2, taken over)',
    ],
  ])('%j', (given, line) => {
    expect(lineOf(given)).toBe(line)
  })

  it('is one short line without commands, whatever label and cause are', () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.nat(3_000), (label, cause, more) => {
        const texts = { label: label.repeat(more), cause: cause + 'x'.repeat(more) }
        const line = lineOf({ ...texts, conclusion: 'error' })
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
  const early = { counts: none, running: 2, kept: 0, waiting: 8, pauses: { starts: 0, checks: 0 } }
  const late = {
    ...early,
    counts: { ...none, succeeded: 2, failed: 1 },
    kept: 1,
    waiting: 5,
    pauses: { starts: 42_000, checks: 3_600_000 },
  }

  it.each([
    [early, '0 of 10 finished, 2 running, 8 waiting'],
    [
      late,
      '3 of 10 finished (2 succeeded, 1 failed), 2 running, 1 slot kept for starts without a clear answer, 5 waiting; no starts for 42 s; no checks for 1 h',
    ],
  ])('%j', (snapshot, words) => {
    expect(describeBatchProgress(snapshot, 130_000)).toBe(`After 2 min 10 s: ${words}`)
  })
})
