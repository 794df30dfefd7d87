/** Implements the action `start`. It starts an automation and outputs the execution id. */
import type { Begin } from '../execution/begin.ts'
import type { RunEvent } from '../execution/events.ts'
import { conclusionOf } from '../execution/report.ts'
import { startRun, type StartEnv } from '../execution/run.ts'
import { nothingSeen, proofIn } from '../execution/seen.ts'
import type { WatchEnv } from '../execution/watch.ts'
import { describeFailure } from '../messages/failure-notice.ts'
import { describeOpenEnd, type OpenEnd } from '../messages/failure.ts'
import { describeRerunOfStart } from '../messages/rerun.ts'
import { describeStart } from '../messages/progress.ts'
import { describeElapsed } from '../messages/quantities.ts'
import { linksTo } from '../messages/run-link.ts'
import type { StartInputs } from '../runner/inputs/read.ts'
import { onlyRun } from '../runner/record/format.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import type { StartAnswer } from '../service/contract.ts'
import type { NotAccepted } from '../service/send-at-most-once.ts'
import { setCommitStatus } from './commit-status.ts'
import { logServiceAddress, type Connect, type Connections } from './connect.ts'
import { beginOnlyRun } from './rerun.ts'
import { targetOf, watchEnvOf } from './run-env.ts'
import { recordEvent, setExecution, setResumed } from './run-events.ts'
import { logLink, RunLog } from './run-log.ts'

export async function startAutomation(
  inputs: StartInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { start } = inputs
  const { outputs, log, cancelled } = step
  const since = step.clock.now()
  const connections = connect('start', inputs.connection)
  const { service } = connections
  const storage = connections.openStorage(step)
  const linkOf = linksTo(inputs.dashboard)
  await using recorder = openRecorder(inputs, storage, step)
  using runLog = new RunLog(linkOf, step)
  // The outputs come first, so that users find a run even if something fails after its start.
  const emit = (event: RunEvent) => {
    if (event.kind === 'started') setExecution(event.executionId, linkOf, outputs)
    recordEvent(event, onlyRun, recorder)
    runLog.write(event)
  }
  const env: StartEnv & WatchEnv = {
    ...watchEnvOf(service, step),
    start: (signal, whileConnecting) => service.startAutomation(start, signal, whileConnecting),
  }

  const asked = { purpose: 'output-id', remaining: Infinity } as const
  const begun = await beginOnlyRun(recorder, asked, env, emit, step)
  setResumed(begun, linkOf, outputs)
  logServiceAddress(inputs.connection, step)
  let failedEnd: OpenEnd | undefined
  if (begun.kind === 'start') {
    log.title('Start')
    log.info(describeStart(start))
    const outcome = await startRun(cancelled, env, emit)
    if ('kind' in outcome) emit({ kind: 'ended', end: outcome, isFinal: true })
    failedEnd = await reportStart(outcome, inputs, recorder, connections, step)
  } else {
    logLink(begun.executionId, linkOf, log)
    failedEnd = await reportEarlier(begun, inputs, connections, step)
  }
  return failedEnd ? fail(failedEnd, inputs, recorder, since, step) : passed
}

/** Saves the record and sets the status after a start. Returns the end that fails the step, if any. */
async function reportStart(
  outcome: StartAnswer | NotAccepted,
  inputs: StartInputs,
  recorder: Recorder,
  connections: Connections,
  step: Step,
): Promise<OpenEnd | undefined> {
  // Saves the record and sets the status in parallel, because a cancelled step has little time. A
  // re-run must find this run, because this step does not wait for its end.
  if ('kind' in outcome) {
    const facts = { conclusion: conclusionOf(outcome) }
    await Promise.all([recorder.close(), setCommitStatus(inputs, facts, connections, step)])
    return outcome
  }
  const { executionId, message } = outcome
  step.outputs.set({ message })
  const facts = { conclusion: undefined, executionId }
  await Promise.all([recorder.close(), setCommitStatus(inputs, facts, connections, step)])
  // The step may have been cancelled while it waited for the response or saved the record.
  return step.cancelled.aborted ? { kind: 'cancelled', executionId, seen: nothingSeen } : undefined
}

/**
 * Sets the status of an execution that an earlier attempt of the job started. Returns the end that
 * fails the step, if any. Saves nothing: the record of the earlier attempt remains, and already
 * names this execution.
 */
async function reportEarlier(
  { because, executionId, seen }: Extract<Begin, { kind: 'take-over' }>,
  inputs: StartInputs,
  connections: Connections,
  step: Step,
): Promise<OpenEnd | undefined> {
  const proof = proofIn(seen)
  if (proof?.kind === 'lost') {
    await setCommitStatus(inputs, { conclusion: 'unknown', executionId }, connections, step)
    return { executionId, seen, ...proof }
  }
  // A step that was cancelled during the checks does not know the state of the run, so the commit
  // status stays unchanged.
  if (because !== 'cancelled') {
    const conclusion = because === 'reusable' ? 'success' : undefined
    await setCommitStatus(inputs, { conclusion, executionId }, connections, step)
  }
  if (step.cancelled.aborted) return { kind: 'cancelled', executionId, seen }
  const { automation } = inputs.start
  step.log.verdict(`${automation} was started before, as execution ${executionId}`, true)
  return undefined
}

/** Returns a failed verdict. After a cancellation, it also says what a re-run of the job does. */
function fail(
  end: OpenEnd,
  inputs: StartInputs,
  recorder: Recorder,
  since: number,
  { log, clock }: Step,
): Verdict {
  const { onRerun } = inputs.rerun
  const target = targetOf(inputs.start)
  const ended = describeOpenEnd(end, { automation: target.automation, isTakenOver: false })
  const isRerunKnown = end.kind === 'cancelled' && recorder.isOnRecord && onRerun !== 'start'
  const failure = isRerunKnown
    ? { ...ended, next: `${ended.next} ${describeRerunOfStart(onRerun)}` }
    : ended
  const notice = describeFailure(failure, { target, end }, undefined)
  log.verdict(`${notice.title} (after ${describeElapsed(clock.now() - since)})`, false)
  return { kind: 'failed', notice }
}
