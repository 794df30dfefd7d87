/** Implements the action `start`. It starts an automation and outputs the execution id. */
import type { Begin } from '../execution/begin.ts'
import { conclusionOf } from '../execution/report.ts'
import { startRun, type StartEnv } from '../execution/run.ts'
import { nothingSeen, proofIn } from '../execution/seen.ts'
import type { Emit } from '../execution/events.ts'
import { describeFailure } from '../messages/failure-annotation.ts'
import { describeOpenEnd, type OpenEnd } from '../messages/failure.ts'
import { describeRerunOfStart } from '../messages/rerun.ts'
import { messageOutput } from '../messages/text/shown-texts.ts'
import type { StatusFacts } from '../messages/commit-status.ts'
import { describeStart } from '../messages/progress.ts'
import { describeElapsed } from '../messages/quantities.ts'
import { linksTo } from '../messages/run-link.ts'
import type { StartInputs } from '../runner/inputs/read.ts'
import { onlyRun } from '../runner/record/format.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { setCommitStatus } from './commit-status.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { beginOnlyRun } from './rerun.ts'
import { checkWith, targetOf } from './run-env.ts'
import { onRunEvent, recordEnd, recordingAs, setBegin } from './run-events.ts'
import { logLink, RunLog } from './run-log.ts'

interface StartContext {
  /** Sets the commit status, if the input `commit-status` is set. */
  setStatus: (facts: StatusFacts) => Promise<void>
  fail: (end: OpenEnd) => Verdict
}

export async function startAutomation(
  inputs: StartInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { start } = inputs
  const { outputs, clock, random, cancelled } = step
  const connections = connect('start', inputs.connection)
  const { service } = connections
  const storage = connections.openStorage(step)
  const linkOf = linksTo(inputs.dashboard)
  await using recorder = openRecorder(inputs, storage, step)
  using log = new RunLog(linkOf, step)
  const emit = onRunEvent({ log, linkOf, record: recordingAs(onlyRun, recorder) }, step)
  const env = {
    start: (signal: AbortSignal, whileConnecting: AbortSignal) =>
      service.startAutomation(start, signal, whileConnecting),
    check: checkWith(service, step),
    clock,
    random,
    cancelled,
  }
  const since = clock.now()
  const context: StartContext = {
    setStatus: (facts) => setCommitStatus(inputs, facts, connections, step),
    fail: (end) => failed(end, { inputs, recorder, elapsed: clock.now() - since }, step),
  }

  const asked = { purpose: 'output-id', remaining: Infinity } as const
  const begun = await beginOnlyRun(recorder, asked, env, emit, step)
  setBegin(begun, linkOf, outputs)
  logServiceAddress(inputs.connection, step)
  if (begun.kind === 'start') {
    return await startAnew(inputs, { ...context, env, emit, recorder }, step)
  }
  logLink(begun.executionId, linkOf, step.log)
  return await outputEarlierId(begun, inputs, context, step)
}

interface NewStart extends StartContext {
  env: StartEnv
  emit: Emit
  recorder: Recorder
}

async function startAnew(
  { start }: StartInputs,
  { env, emit, recorder, setStatus, fail }: NewStart,
  step: Step,
): Promise<Verdict> {
  const { log, outputs, secrets, cancelled } = step
  log.title('Start')
  log.info(describeStart(start))
  const outcome = await startRun({ signal: cancelled }, env, emit)
  if (outcome.kind === 'accepted') {
    const { executionId, message } = outcome.value
    outputs.set({ message: messageOutput(message, secrets.show) })
    // Saves the record and sets the status in parallel, because a cancelled step has little time. A
    // re-run must find this run, because this step does not wait for its end.
    await Promise.all([recorder.close(), setStatus({ conclusion: undefined, executionId })])
    // The step may have been cancelled while it waited for the response or saved the record.
    if (!cancelled.aborted) return passed
    return fail({ kind: 'cancelled', executionId, seen: nothingSeen })
  }
  const verdict = fail(outcome)
  recordEnd(onlyRun, outcome, recorder)
  await Promise.all([recorder.close(), setStatus({ conclusion: conclusionOf(outcome) })])
  return verdict
}

/** Ends the step with the id of an execution that an earlier attempt of the job started. */
async function outputEarlierId(
  { because, executionId, seen }: Extract<Begin, { kind: 'take-over' }>,
  { start }: StartInputs,
  { setStatus, fail }: StartContext,
  step: Step,
): Promise<Verdict> {
  const proof = proofIn(seen)
  // Saves nothing: the record of the earlier attempt remains, and already names this execution.
  if (proof?.kind === 'lost') {
    const verdict = fail({ executionId, seen, ...proof })
    await setStatus({ conclusion: 'unknown', executionId })
    return verdict
  }
  // A step that was cancelled during the checks does not know the state of the run, so the commit
  // status stays unchanged.
  if (because !== 'cancelled') {
    const conclusion = because === 'reusable' ? 'success' : undefined
    await setStatus({ conclusion, executionId })
  }
  if (step.cancelled.aborted) return fail({ kind: 'cancelled', executionId, seen })
  step.log.verdict(`${start.automation} was started before, as execution ${executionId}`, true)
  return passed
}

/** Returns a failed verdict. After a cancellation, it also says what a re-run of the job does. */
function failed(
  end: OpenEnd,
  { inputs, recorder, elapsed }: { inputs: StartInputs; recorder: Recorder; elapsed: number },
  { log, secrets }: Step,
): Verdict {
  const { show } = secrets
  const { onRerun } = inputs.rerun
  const target = targetOf(inputs.start)
  const ended = describeOpenEnd(end, { automation: target.automation, isTakenOver: false, show })
  const isRerunKnown = end.kind === 'cancelled' && recorder.isOnRecord && onRerun !== 'start'
  const failure = isRerunKnown
    ? { ...ended, next: `${ended.next} ${describeRerunOfStart(onRerun)}` }
    : ended
  const annotation = describeFailure(failure, { target, end }, undefined, show)
  log.verdict(`${annotation.title} (after ${describeElapsed(elapsed)})`, false)
  return { kind: 'failed', annotation }
}
