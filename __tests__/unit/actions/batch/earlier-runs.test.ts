import { expect, it } from '@jest/globals'
import { neverAborts } from '../../../../sandbox/simulation/simulated-clock.ts'
import { readEarlierRuns } from '../../../../src/actions/batch/earlier-runs.ts'
import type { RecordedRun } from '../../../../src/runner/record/record.ts'
import { Recorder } from '../../../../src/runner/record/recorder.ts'
import { recordedStep } from '../recorded-step.ts'

const started: RecordedRun = { kind: 'known', attempt: 1, executionId: 'e' }
const ended = (conclusion: 'success' | 'invalid-result'): RecordedRun => {
  return { kind: 'known', attempt: 1, executionId: 'e', outcome: conclusion }
}
const closed = { savedBy: 1, isFinal: true, isReported: false }
const reported = { ...closed, isReported: true }

it.each<[string, RecordedRun, typeof closed, 'resume' | 'reuse', string]>([
  ['one', ended('invalid-result'), closed, 'resume', '1 run: 1 to start'],
  ['left', started, closed, 'resume', 'The record also has 1 run whose seed is not in the list'],
  ['one', ended('success'), reported, 'resume', 'This step starts new runs.'],
  ['one', ended('success'), reported, 'reuse', '1 run: 1 succeeded (kept)'],
])('the run %s, recorded as %j in %j, with %s: %s', async (name, run, facts, onRerun, words) => {
  const { step, printed } = recordedStep()
  const record = { ...facts, runs: new Map([[name, run]]) }
  const recorder = new Recorder({
    ownAttempt: 2,
    onRerun,
    form: 'file',
    cancelled: neverAborts,
    clock: step.clock,
    prepare: () => undefined,
    store: {
      find: () => Promise.resolve({ kind: 'found', record }),
      save: () => Promise.resolve({ isSaved: true }),
    },
  })
  await readEarlierRuns(recorder, ['one'], step)

  expect(printed.join('\n')).toContain(words)
})
