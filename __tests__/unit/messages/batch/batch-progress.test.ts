import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { describeBatchProgress } from '../../../../src/messages/batch/batch-progress.ts'
import { describeRun, shownRow } from '../../../../src/messages/batch/runs.ts'
import { maxIdLength } from '../../../../src/service/names.ts'
import { batchRow, type GivenRow } from '../../../support/batch-rows.ts'
import { hostileText } from '../../../support/hostile-text.ts'

const lineOf = (given: GivenRow) => describeRun(shownRow(batchRow(given), (text) => text))
const id = 'e'.repeat(maxIdLength)
const none = { execution_id: null, duration: undefined }

it.each<[GivenRow, string]>([
  [{ cause: 'lost', execution_id: id }, `succeeded after 2 min 10 s, but lost (execution ${id})`],
  [{ conclusion: 'refused', cause: 'no', ...none, duration: 100 }, 'was refused after 0.1 s: no'],
  [{ conclusion: 'unknown', cause: 'hang up', ...none }, 'has an unknown outcome: hang up'],
  [
    { isTakenOver: true, execution_count: 2 },
    'succeeded after 2 min 10 s (execution id-1, the last of 2, taken over)',
  ],
])('the line of a run that has ended: %j', (given, line) => {
  expect(lineOf(given)).toBe(`Run 1 ${line}`)
})

it('the line of a run is short and has no command, whatever label and cause are', () => {
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

const noCounts = { total: 10, succeeded: 0, failed: 0, unknown: 0, unfinished: 0, notStarted: 0 }
const early = { running: 2, kept: 0, waiting: 8, pauses: { starts: 0, checks: 0 } }
const late = { running: 2, kept: 1, waiting: 5, pauses: { starts: 42_000, checks: 3_600_000 } }

it.each([
  [{ ...early, counts: noCounts }, '0 of 10 finished, 2 running, 8 waiting'],
  [
    { ...late, counts: { ...noCounts, succeeded: 2, failed: 1 } },
    '3 of 10 finished (2 succeeded, 1 failed), 2 running, 1 slot kept for starts without a clear answer, 5 waiting; no starts for 42 s; no checks for 1 h',
  ],
])('the heartbeat of a batch: %j', (snapshot, words) => {
  expect(describeBatchProgress(snapshot, 130_000)).toBe(`After 2 min 10 s: ${words}`)
})
