/** Implements the action `start`. It starts an automation and outputs the execution id. */
import { conclusionOf, endingOfStart } from '../execution/ending.ts'
import { startExecution } from '../execution/start-execution.ts'
import { describeFailure } from '../messages/failure-annotation.ts'
import { describeOpenEnd } from '../messages/failure.ts'
import { messageOutput } from '../messages/text/shown-texts.ts'
import type { StatusFacts } from '../messages/commit-status.ts'
import { describeStart } from '../messages/progress.ts'
import { describeElapsed } from '../messages/quantities.ts'
import { linksTo, type LinkOf } from '../messages/run-link.ts'
import type { StartInputs } from '../runner/inputs/read.ts'
import { onlyRun } from '../runner/record/format.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import type { AutomationService } from '../service/client.ts'
import { setCommitStatus } from './commit-status.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { type EarlierExecution, findEarlier } from './earlier-runs.ts'
import { reportLink, reportStart } from './progress.ts'

/** Sets the commit status, if the input `commit-status` is set. */
type SetStatus = (facts: StatusFacts) => Promise<void>

const cancelledEnd = { kind: 'cancelled', status: undefined } as const

export async function startAutomation(
  inputs: StartInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const since = step.clock.now()
  const connections = connect('start', inputs.connection)
  const { service } = connections
  const storage = connections.openStorage(step)
  await using recorder = openRecorder(inputs, storage, step)
  const earlier = await findEarlier({ kind: 'outputs-id', recorder, service }, step)
  logServiceAddress(inputs.connection, step)
  const linkOf = linksTo(inputs.dashboard)
  if (earlier.action !== 'start') reportLink(linkOf(earlier.executionId), step)
  const setStatus: SetStatus = (facts) => setCommitStatus(inputs, facts, connections, step)
  return earlier.action === 'start'
    ? await startAnew(inputs.start, { recorder, service, setStatus, linkOf, since }, step)
    : await outputEarlierId(earlier, inputs.start, { setStatus, since }, step)
}

interface StartContext {
  recorder: Recorder
  service: AutomationService
  setStatus: SetStatus
  linkOf: LinkOf
  /** When the step began, on its clock. */
  since: number
}

async function startAnew(
  start: StartInputs['start'],
  { recorder, service, setStatus, linkOf, since }: StartContext,
  step: Step,
): Promise<Verdict> {
  const { clock, random, cancelled } = step
  step.outputs.set('resumed', 'false')
  step.log.title('Start')
  step.log.info(describeStart(start))

  const collaborators = { service, clock, random }
  const listener = reportStart(linkOf, step)
  const started = await startExecution(start, { signal: cancelled }, collaborators, listener)
  const { automation } = start
  if (started.kind === 'accepted') {
    const { executionId, message } = started.value
    // A re-run must find this run, because this step does not wait for its end.
    recorder.started(onlyRun, executionId)
    step.outputs.set('message', messageOutput(message, step.secrets.show))
    // Saves the record and sets the status in parallel, because a cancelled step has little time.
    await Promise.all([recorder.close(), setStatus({ conclusion: undefined, executionId })])
    // The step may have been cancelled while it waited for the response or saved the record.
    if (!cancelled.aborted) return passed
    return failed({ automation, executionId, ending: cancelledEnd }, since, step)
  }
  const ending = endingOfStart(started)
  const conclusion = conclusionOf(ending)
  const verdict = failed({ automation, ending }, since, step)
  if (conclusion === 'unknown') recorder.ended(onlyRun, { conclusion, executionId: undefined })
  await Promise.all([recorder.close(), setStatus({ conclusion })])
  return verdict
}

/** Ends the step with the id of an execution that an earlier attempt of the job started. */
async function outputEarlierId(
  { executionId, state, obstacle }: EarlierExecution,
  { automation }: StartInputs['start'],
  { setStatus, since }: Pick<StartContext, 'setStatus' | 'since'>,
  step: Step,
): Promise<Verdict> {
  if (!obstacle) {
    const conclusion = state === 'reusable' ? 'success' : undefined
    await setStatus({ conclusion, executionId })
    if (!step.cancelled.aborted) {
      step.log.verdict(`${automation} was started before, as execution ${executionId}`, true)
      return passed
    }
  }
  // Saves nothing: the record of the earlier attempt remains, and already names this execution.
  const ending = obstacle ?? cancelledEnd
  const verdict = failed({ automation, executionId, ending }, since, step)
  // A cancelled step does not know the state of the run, so the commit status stays unchanged.
  if (obstacle?.kind === 'refused') await setStatus({ conclusion: 'unknown', executionId })
  return verdict
}

/**
 * Returns a failed verdict. The verdict promises no take-over by a re-run, because `start` takes over
 * only a run that is still running then.
 */
function failed(
  ended: Parameters<typeof describeOpenEnd>[0],
  since: number,
  { log, secrets, cancelled, clock }: Step,
): Verdict {
  const { show } = secrets
  const failure = describeOpenEnd(ended, { isTakenOver: false, cancelled, show })
  const annotation = describeFailure(failure, ended, undefined, show)
  log.verdict(`${annotation.title} (after ${describeElapsed(clock.now() - since)})`, false)
  return { kind: 'failed', annotation }
}
