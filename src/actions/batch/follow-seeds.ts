/** Starts and follows the runs of a batch, and adds the runs to the record for a re-run. */
import { DelayedSignal } from '../../clock.ts'
import type {
  BatchEnv,
  BatchEvent,
  BatchPlan,
  BatchReport,
  BatchSeed,
} from '../../execution/batch/batch-types.ts'
import { followBatch } from '../../execution/batch/follow-batch.ts'
import { failsStep } from '../../execution/conclusion.ts'
import { nextStepAfter } from '../../messages/batch/runs.ts'
import { rowOf } from '../../messages/row-of.ts'
import { executionUrls } from '../../messages/execution-url.ts'
import { workflowRunOf } from '../../runner/environment.ts'
import type { BatchInputs } from '../../runner/inputs/action-inputs.ts'
import type { Recorder } from '../../runner/record/recorder.ts'
import type { Step } from '../../runner/step.ts'
import type { Connections } from '../connections.ts'
import { openDeadline, sharedEnvOf, targetOf } from '../run-env.ts'
import { recordEvent } from '../run-events.ts'
import { BatchLog } from './batch-log.ts'
import type { RunFolders } from './run-folders.ts'

/** How long the validations of results may continue after the step's deadline, in milliseconds. */
export const maxValidationsAfterDeadline = 60_000
/** The maximum total length of the problems of one result, because all runs stay in memory. */
const maxProblemsLength = 4 * 1024

interface Dependencies {
  connections: Connections
  folders: RunFolders
  recorder: Recorder
  /** Returns the name under which the record stores the run of a seed. */
  nameOf: (seed: BatchSeed) => string
}

export async function followSeeds(
  inputs: BatchInputs,
  { connections, folders, recorder, nameOf }: Dependencies,
  step: Step,
): Promise<BatchReport> {
  const { target, list, delivery, pool, waiting, resultSchema, retrying, publishing } = inputs
  using deadline = openDeadline(waiting, step)
  using validationsEnd = new DelayedSignal(deadline.signal, maxValidationsAfterDeadline, step.clock)
  const log = new BatchLog(step)
  const request = { ...target, ...delivery }
  const plan: BatchPlan = {
    seeds: list,
    target: targetOf(request),
    ...pool,
    // If the step reads no record, `recorded` knows no run, and the mode has no effect.
    mode: recorder.rerunMode ?? 'resume',
    recorded: (seed) => recorder.earlier(nameOf(seed)),
    pollInterval: waiting.pollInterval,
    deadline,
    retrying,
    isFailing: (conclusion) => failsStep(conclusion, waiting.failOn),
  }
  const workflowRun = workflowRunOf(step.environment, inputs.jobId)
  const executionUrlOf = executionUrls(inputs.dashboard)
  const { folder } = folders
  const stepFacts = { ...target, workflowRun, executionUrlOf, folder, show: step.secrets.show }
  const { automation } = target
  const { timeout } = waiting
  // Whether the artifact can be uploaded is not known when a run ends.
  const resultPlace = '(result_file in results-file)'
  const endFacts = { automation, timeout, retrying, resultPlace }
  const { service } = connections
  const env: BatchEnv = {
    ...sharedEnvOf(connections, resultSchema, publishing, step, validationsEnd.signal),
    sendStart: ({ text }, untilAnswered, untilConnected) =>
      service.startAutomation({ ...request, seed: text }, untilAnswered, untilConnected),
    // The links of the answers are not masked, unlike those of a single run: the runner searches
    // each line of the log for each mask, and no text of this action contains a link.
    sendCheck: (executionId, signal) => service.executionStatus(executionId, signal),
    makeFolder: (seed) => folders.makeFor(seed),
    rowOf: (run) => rowOf(run, stepFacts, maxProblemsLength),
    nextStepAfter: (end, othersRan) => nextStepAfter(end, endFacts, othersRan),
  }
  // The ids come first, so that the step knows all executions even if something fails after a start.
  const emit = (event: BatchEvent) => {
    if (event.kind === 'run') {
      const { seed, event: ofRun } = event
      if ('executionId' in ofRun) step.outputs.executionIds.add(ofRun.executionId)
      recordEvent(ofRun, nameOf(seed), recorder)
    }
    log.write(event)
  }
  return await followBatch(plan, env, emit)
}
