/** Starts and follows the runs of a batch, and adds the runs to the record for a re-run. */
import { noAnswerWithin } from '../../messages/quantities.ts'
import { Deadline, DelayedSignal } from '../../clock.ts'
import type { BatchEnv, BatchPlan, BatchReport, BatchSeed } from '../../execution/batch/batch.ts'
import type { BatchEvent } from '../../execution/batch/events.ts'
import { followBatch } from '../../execution/batch/follow-batch.ts'
import { failsStep } from '../../execution/conclusion.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import { describeReport } from '../../messages/batch/report.ts'
import type { Recorder } from '../../runner/record/recorder.ts'
import type { Step } from '../../runner/step.ts'
import { sharedEnvOf, targetOf } from '../run-env.ts'
import { recordEvent } from '../run-events.ts'
import type { Connections } from '../connect.ts'
import { BatchLog } from './progress.ts'
import type { RunFolders } from './run-folders.ts'

/** How long the validations of results may continue after the step's deadline, in milliseconds. */
export const maxValidationsAfterDeadline = 60_000

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
  using validationsEnd = new DelayedSignal(deadline.signal, maxValidationsAfterDeadline, step.clock)
  using log = new BatchLog(step)
  const { service } = connections
  const request = { ...target, ...delivery }
  const plan: BatchPlan = {
    seeds: list,
    target: targetOf(request),
    pollInterval,
    deadline,
    ...pool,
    retries: retrying.retries,
    retryOn: retrying.retryOn,
    failsStep: (conclusion) => failsStep(conclusion, failOn),
    recorded: (seed) => recorder.earlier(nameOf(seed)),
    mode: rerun.onRerun === 'reuse' ? 'reuse' : 'resume',
  }
  const facts = {
    automation: target.automation,
    show: step.secrets.show,
    timeout,
    retries: retrying.retries,
    retryOn: retrying.retryOn,
    hasArtifact: publishing.uploadArtifact,
  }
  const env: BatchEnv = {
    ...sharedEnvOf(connections, retrying.resultSchema, publishing, step, validationsEnd.signal),
    start: ({ text }, signal, whileConnecting) =>
      service.startAutomation({ ...request, seed: text }, signal, whileConnecting),
    check: (executionId, signal) => service.executionStatus(executionId, signal),
    folder: folders.folder,
    makeFolder: (seed) => folders.make(seed),
    showWords: step.secrets.words,
    describe: (report) => describeReport(report, facts),
  }
  return await followBatch(plan, env, (event) => {
    if (event.kind === 'found') step.outputs.executionIds.add(event.executionId)
    recordBatchEvent(event, dependencies)
    log.write(event)
  })
}

/** Records the start and the end of each run. */
function recordBatchEvent(
  event: BatchEvent,
  { recorder, nameOf }: Pick<Dependencies, 'recorder' | 'nameOf'>,
): void {
  if (event.kind === 'found') recorder.started(nameOf(event.seed), event.executionId)
  if (event.kind === 'run') recordEvent(event.event, nameOf(event.seed), recorder)
  if (event.kind === 'done') {
    const { conclusion, executionId } = event.record
    recorder.ended(nameOf(event.seed), { conclusion, executionId })
  }
}
