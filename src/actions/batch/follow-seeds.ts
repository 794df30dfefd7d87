/** Starts and follows the runs of a batch, and adds the runs to the record for a re-run. */
import { noAnswerWithin } from '../../messages/quantities.ts'
import { Deadline, DelayedSignal } from '../../clock.ts'
import type {
  BatchCollaborators,
  BatchListener,
  BatchPlan,
  BatchReport,
  BatchSeed,
} from '../../execution/batch/batch.ts'
import { followBatch } from '../../execution/batch/follow-batch.ts'
import { failsStep } from '../../execution/conclusion.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import { describeReport } from '../../messages/batch/report.ts'
import type { Recorder } from '../../runner/record/recorder.ts'
import type { Step } from '../../runner/step.ts'
import { collaboratorsIn } from '../collaborators.ts'
import type { Connections } from '../connect.ts'
import { reportBatchProgress } from './progress.ts'
import type { RunFolders } from './run-folders.ts'

/** How long the checks of results may continue after the step's deadline, in milliseconds. */
export const maxChecksAfterDeadline = 60_000

export interface Dependencies {
  connections: Connections
  folders: RunFolders
  recorder: Recorder
  /** Returns the name under which the record stores the run of a seed. */
  nameOf: (seed: BatchSeed) => string
}

export async function followSeeds(
  inputs: BatchInputs,
  dependencies: Dependencies,
  step: Step,
): Promise<BatchReport> {
  const { connections, folders, recorder, nameOf } = dependencies
  const { target, list, delivery, pool, waiting, rerun, retrying, publishing } = inputs
  const { pollInterval, timeout, failOn } = waiting
  using deadline = new Deadline(step.clock, timeout, step.cancelled, noAnswerWithin(timeout))
  using checksEnd = new DelayedSignal(deadline.signal, maxChecksAfterDeadline, step.clock)
  using listener = reportBatchProgress(retrying.retries, step)
  const recorded = recordingSeeds(listener, dependencies)
  const plan: BatchPlan = {
    seeds: list,
    request: { ...target, ...delivery },
    pollInterval,
    deadline,
    ...pool,
    retries: retrying.retries,
    retryOn: retrying.retryOn,
    failsStep: (conclusion) => failsStep(conclusion, failOn),
    recorded: (seed) => recorder.earlier(nameOf(seed)),
    onRerun: rerun.onRerun === 'reuse' ? 'reuse' : 'resume',
  }
  const collaborators: BatchCollaborators = {
    ...collaboratorsIn(step, connections, retrying.resultSchema, publishing, checksEnd.signal),
    folder: folders.folder,
    makeFolder: (seed) => folders.make(seed),
    showWords: step.secrets.words,
    describe: (report) => describeReport(report, step.secrets.show, step.cancelled),
  }
  return await followBatch(plan, collaborators, recorded)
}

/** Returns a listener that calls `listener`, and also records the start and end of each run. */
function recordingSeeds(
  listener: BatchListener,
  { recorder, nameOf }: Pick<Dependencies, 'recorder' | 'nameOf'>,
): BatchListener {
  return {
    ...listener,
    onStarted: (seed, executionId) => {
      recorder.started(nameOf(seed), executionId)
      listener.onStarted(seed, executionId)
    },
    onEnded: async (seed, record, report) => {
      const { conclusion, executionId } = record
      recorder.ended(nameOf(seed), { conclusion, executionId })
      await listener.onEnded(seed, record, report)
    },
  }
}
