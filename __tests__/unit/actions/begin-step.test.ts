/** Tests what a step asks and logs about the runs of an earlier attempt of its job. */
import { describe, expect, it } from '@jest/globals'
import { beginOnlyRun, readEarlierRun, readEarlierRuns } from '../../../src/actions/begin-step.ts'
import { nameOfOnlyRun, type RecordedRun } from '../../../src/runner/record/format.ts'
import { Recorder } from '../../../src/runner/record/recorder.ts'
import type { Rerun } from '../../../src/runner/inputs/action-inputs.ts'
import type { Step } from '../../../src/runner/step.ts'
import { httpError } from '../../support/failures.ts'
import { recordedStep } from './recorded-step.ts'
import { neverAborts } from '../../../sandbox/simulation/simulated-clock.ts'

type Found = Awaited<ReturnType<Recorder['read']>>

/** Returns the recorder of an attempt that finds this record. */
function recorderOf(
  found: Found,
  { clock }: Step,
  { attempt = 2, onRerun = 'resume' }: { attempt?: number; onRerun?: Rerun['onRerun'] } = {},
): Recorder {
  return new Recorder({
    attempt,
    onRerun,
    carrier: 'run',
    cancelled: neverAborts,
    clock,
    prepare: () => undefined,
    store: {
      find: () => Promise.resolve(found),
      save: () => Promise.resolve({ isSaved: true }),
    },
  })
}

/** Returns a closed record of the first attempt. */
function recordOf(name: string, run: RecordedRun, isReported = false): Found {
  const runs = new Map([[name, run]])
  return { kind: 'found', record: { attempt: 1, isClosed: true, isReported, runs } }
}

describe('the checks of the only run', () => {
  /** Begins the run of an attempt, after an attempt that started an execution. All checks fail. */
  async function beginAttempt(attempt: number, remaining: number) {
    const { step, printed } = recordedStep({ environment: { GITHUB_RUN_ATTEMPT: `${attempt}` } })
    const run: RecordedRun = { kind: 'started', attempt: 1, executionId: 'e-1' }
    const recorder = recorderOf(recordOf(nameOfOnlyRun, run), step, { attempt })
    const asked = { purpose: 'follow', remaining } as const
    const env = { ...step, sendCheck: () => Promise.reject(httpError(503)) }
    const began = step.clock.now()
    await readEarlierRun(recorder)
    const { kind } = await beginOnlyRun(recorder, asked, env, () => undefined, step)
    return { kind, took: step.clock.now() - began, printed }
  }

  it.each([
    ['all of a short timeout', 3_000, 3_000],
    ['at most 32 s of a long one', 60_000, 32_000],
  ])('may take %s', async (_, remaining, span) => {
    const { kind, took, printed } = await beginAttempt(2, remaining)

    expect([kind, took]).toEqual(['take-over', span])
    expect(printed).toEqual([
      expect.stringContaining('may still be running (the service answered 503)'),
    ])
  })

  it('are not made by a first attempt', async () => {
    expect(await beginAttempt(1, 60_000)).toEqual({ kind: 'start', took: 0, printed: [] })
  })
})

it('says that a batch that was cancelled during its look-up starts nothing', async () => {
  const { step, printed, warnings } = recordedStep({ cancelled: AbortSignal.abort() })
  const found = { kind: 'unreadable', why: 'the step was cancelled' } as const
  await readEarlierRuns(recorderOf(found, step), ['one'], step)
  expect(printed).toEqual([expect.stringMatching(/cancelled while it looked .*starts nothing\.$/)])
  expect(warnings).toEqual([])
})

it('counts a run of a batch with an invalid result among the runs that are started', async () => {
  const { step, printed } = recordedStep()
  const run = { kind: 'ended', attempt: 1, executionId: 'e', conclusion: 'invalid-result' } as const
  await readEarlierRuns(recorderOf(recordOf('one', run), step), ['one'], step)
  expect(printed).toEqual([expect.stringContaining('1 run: 1 is started')])
})

it('names the open runs of a batch whose seeds left the list', async () => {
  const { step, printed } = recordedStep()
  const run = { kind: 'started', attempt: 1, executionId: 'e-left' } as const
  await readEarlierRuns(recorderOf(recordOf('left', run), step), ['one'], step)
  expect(printed[1]).toMatch(/1 run whose seed is not in the list .*: e-left$/)
})

it.each<[Rerun['onRerun'], string]>([
  ['resume', 'reported that all runs succeeded. This step starts new runs.'],
  ['reuse', '1 run: 1 succeeded and is kept'],
])('says what it does about the reported runs of a batch: %s', async (onRerun, words) => {
  const { step, printed } = recordedStep()
  const run = { kind: 'ended', attempt: 1, executionId: 'e', conclusion: 'success' } as const
  await readEarlierRuns(recorderOf(recordOf('one', run, true), step, { onRerun }), ['one'], step)
  expect(printed).toEqual([expect.stringContaining(words)])
})
