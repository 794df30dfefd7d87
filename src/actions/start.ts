/** Implements the action `start`. It starts an automation and outputs the execution id. */
import type { Beginning } from '../execution/begin.ts'
import { conclusionOf } from '../execution/report.ts'
import type { Started } from '../execution/events.ts'
import { nothingSeen, proofIn } from '../execution/seen.ts'
import { startRun, type StartEnv } from '../execution/start-run.ts'
import type { WatchEnv } from '../execution/watch.ts'
import { noticeOfFailure } from '../messages/failure-notice.ts'
import { failureOfOpenEnd, type OpenEnd } from '../messages/failure.ts'
import { describeRerunOfStart } from '../messages/describe-rerun.ts'
import { describeElapsed } from '../messages/quantities.ts'
import type { StartInputs } from '../runner/inputs/action-inputs.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { OutputOf } from '../runner/outputs.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import type { NotAccepted } from '../service/send-at-most-once.ts'
import { setCommitStatus } from './set-commit-status.ts'
import type { Connect, Connections } from './connections.ts'
import { beginOnlyRun, openOnlyRun } from './only-run.ts'
import { targetOf, watchEnvOf } from './run-env.ts'

export async function startAutomation(
  inputs: StartInputs,
  step: Step<OutputOf<'start'>>,
  connect: Connect,
): Promise<Verdict> {
  const since = step.clock.now()
  const opened = await openOnlyRun('start', inputs, step, connect)
  const { connections, emit, sendStart } = opened
  await using recorder = opened.recorder
  const env: StartEnv & WatchEnv = { ...watchEnvOf(connections.service, step), sendStart }

  const asked = { purpose: 'output-id', remaining: Infinity } as const
  const beginning = await beginOnlyRun(inputs, opened, asked, env, emit, step)
  let failedEnd: OpenEnd | undefined
  if (beginning.kind === 'start') {
    const started = await startRun(step.cancelled, env, emit)
    if (started.kind !== 'started') emit({ kind: 'ended', end: started, isRetryDue: false })
    failedEnd = await publishStart(started, inputs, recorder, connections, step)
  } else {
    failedEnd = await publishEarlier(beginning, inputs, connections, step)
  }
  return failedEnd ? failedVerdict(failedEnd, inputs, recorder, since, step) : passed
}

/** Saves the record and sets the status after a start. Returns the end that fails the step, if any. */
async function publishStart(
  started: Started | NotAccepted,
  inputs: StartInputs,
  recorder: Recorder,
  connections: Connections,
  step: Step<'message'>,
): Promise<OpenEnd | undefined> {
  const isStarted = started.kind === 'started'
  step.heartbeat.begin('saving the record')
  if (isStarted) step.outputs.set({ message: started.message })
  const facts = isStarted
    ? { conclusion: undefined, executionId: started.executionId }
    : { conclusion: conclusionOf(started) }
  // Saves the record and sets the status in parallel, because a cancelled step has little time. A
  // re-run must find this run, because this step does not wait for its end.
  await Promise.all([recorder.close(), setCommitStatus(inputs, facts, connections, step)])
  if (!isStarted) return started
  // The step may have been cancelled while it waited for the response or saved the record.
  const { executionId } = started
  return step.cancelled.aborted ? { kind: 'cancelled', executionId, seen: nothingSeen } : undefined
}

/**
 * Sets the status of an execution that an earlier attempt of the job started. Returns the end that
 * fails the step, if any. Saves nothing: the record of the earlier attempt remains, and already
 * names this execution.
 */
async function publishEarlier(
  { because, executionId, seen }: Extract<Beginning, { kind: 'take-over' }>,
  inputs: StartInputs,
  connections: Connections,
  step: Step,
): Promise<OpenEnd | undefined> {
  const setStatus = (conclusion: 'unknown' | 'success' | undefined) =>
    setCommitStatus(inputs, { conclusion, executionId, isTakenOver: true }, connections, step)
  const proof = proofIn(seen)
  if (proof?.kind === 'lost') {
    await setStatus('unknown')
    return { executionId, seen, ...proof }
  }
  // A step that was cancelled during the checks does not know the state of the run, so the commit
  // status stays unchanged.
  if (because !== 'cancelled') {
    await setStatus(because === 'reusable' ? 'success' : undefined)
  }
  if (step.cancelled.aborted) return { kind: 'cancelled', executionId, seen }
  const { automation } = inputs.request
  step.log.verdict(`${automation} was started before, as execution ${executionId}`, true)
  return undefined
}

/** Returns a failed verdict. After a cancellation, it also says what a re-run of the job does. */
function failedVerdict(
  end: OpenEnd,
  inputs: StartInputs,
  recorder: Recorder,
  since: number,
  { log, clock }: Step,
): Verdict {
  const { onRerun } = inputs.rerun
  const target = targetOf(inputs.request)
  const ended = failureOfOpenEnd(end, { automation: target.automation, rerunTakesOver: false })
  const isRerunKnown = end.kind === 'cancelled' && recorder.isOnRecord && onRerun !== 'start'
  const failure = isRerunKnown
    ? { ...ended, next: `${ended.next} ${describeRerunOfStart(onRerun)}` }
    : ended
  const notice = noticeOfFailure(failure, { target, end }, undefined)
  log.verdict(`${notice.title} (after ${describeElapsed(clock.now() - since)})`, false)
  return { kind: 'failed', notice }
}
