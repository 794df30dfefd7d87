/** Opens and begins the only run of the root action, or of the action `start`. */
import { Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { begin, type Beginning, type Purpose } from '../execution/begin.ts'
import type { Emit, RunEvent } from '../execution/events.ts'
import { grace, nothingSeen } from '../execution/seen.ts'
import type { SendStart } from '../execution/start-run.ts'
import { usualLastCheckTime, type WatchEnv } from '../execution/watch.ts'
import { describeRerun } from '../messages/describe-rerun.ts'
import { describeKnown, describeStart } from '../messages/progress.ts'
import { executionUrls, type ExecutionUrlOf } from '../messages/execution-url.ts'
import { attemptOf } from '../runner/environment.ts'
import type { StartInputs } from '../runner/inputs/action-inputs.ts'
import { nameOfOnlyRun } from '../runner/record/record.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { Step } from '../runner/step.ts'
import { logServiceAddress, type Connect } from './connections.ts'
import { recordEvent, setExecution, type ExecutionOutput } from './run-events.ts'
import { logExecutionUrl, logRerun, RunLog } from './run-log.ts'

type OnlyRunInputs = Pick<StartInputs, 'connection' | 'dashboard' | 'request' | 'rerun'>

/** Connects, and reads the record of an earlier attempt. The caller closes the recorder. */
export async function openOnlyRun(
  action: 'run' | 'start',
  { connection, dashboard, request, rerun }: OnlyRunInputs,
  step: Step<ExecutionOutput>,
  connect: Connect,
) {
  const connections = connect(action, connection)
  const storage = connections.openStorage(step)
  const executionUrlOf = executionUrls(dashboard)
  const recorder = openRecorder({ connection, request, rerun }, storage, step)
  const runLog = new RunLog(executionUrlOf, step)
  // The outputs come first, so that users find a run even if something fails after its start.
  const emit = (event: RunEvent) => {
    if (event.kind === 'started') setExecution(event.executionId, executionUrlOf, step.outputs)
    recordEvent(event, nameOfOnlyRun, recorder)
    runLog.write(event)
  }
  const sendStart: SendStart = (untilAnswered, untilConnected) =>
    connections.service.startAutomation(request, untilAnswered, untilConnected)
  if (recorder.rerunMode) await recorder.read()
  return { connections, storage, executionUrlOf, recorder, emit, sendStart }
}

/**
 * The time limit of the checks of the only run of a step, in milliseconds: 30 s until a 404 is final,
 * plus 2 s for the answer to the final check. The check after this time may take 2 s more.
 */
export const maxBeginTime = grace + usualLastCheckTime

/**
 * Returns how the run begins, and sets the outputs and logs accordingly. `remaining` is the time that
 * the step has left, in milliseconds.
 */
export async function beginOnlyRun(
  { connection, request }: OnlyRunInputs,
  { recorder, executionUrlOf }: { recorder: Recorder; executionUrlOf: ExecutionUrlOf },
  asked: { purpose: Purpose; remaining: number },
  env: WatchEnv,
  emit: Emit,
  step: Step<ExecutionOutput | 'resumed'>,
): Promise<Beginning> {
  const { log, heartbeat, outputs } = step
  const beginning = await findBeginning(recorder, asked, env, emit, step)
  outputs.set({ resumed: String(beginning.kind === 'take-over') })
  if (beginning.kind === 'take-over') setExecution(beginning.executionId, executionUrlOf, outputs)
  logServiceAddress(connection, step)
  if (beginning.kind === 'start') {
    log.title('Start')
    heartbeat.begin('starting')
    log.info(describeStart(request))
  } else {
    log.info(describeKnown(request.project, request.automation, beginning.executionId))
    logExecutionUrl(beginning.executionId, executionUrlOf, log)
  }
  return beginning
}

/** Applies the rule of re-runs (`begin`). In a re-run, logs how the run begins and why. */
async function findBeginning(
  recorder: Recorder,
  { purpose, remaining }: { purpose: Purpose; remaining: number },
  env: WatchEnv,
  emit: Emit,
  step: Step,
): Promise<Beginning> {
  const mode = recorder.rerunMode
  if (!mode) return { kind: 'start', because: 'none', seen: nothingSeen, replaced: undefined }
  const recorded = recorder.earlier(nameOfOnlyRun)
  using deadline = new Deadline(env.clock, Math.min(maxBeginTime, remaining), env.cancelled)
  // The first line of the log says how the run begins. The lines about its checks follow.
  const events: RunEvent[] = []
  const keep = (event: RunEvent) => void events.push(event)
  const beginning = await begin(recorded, { mode, purpose, deadline }, env, keep)
  const { failure } = beginning.seen
  const why = failure ? messageOf(failure) : 'no answer arrived'
  const facts = { ownAttempt: attemptOf(step.environment), why }
  logRerun(describeRerun(recorded, beginning, purpose, facts), step)
  for (const event of events) emit(event)
  return beginning
}
