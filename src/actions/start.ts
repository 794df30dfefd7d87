/** `uses: owner/run-automation/start`: starts an automation, hands over its execution id. */
import { Deadline } from '../clock.ts'
import { startExecution } from '../execution/start-execution.ts'
import { describeFailure } from '../messages/annotation.ts'
import type { FailureKind } from '../messages/failure.ts'
import { messageOutput } from '../messages/message-output.ts'
import { describeStart } from '../messages/progress.ts'
import type { StartInputs } from '../runner/inputs/read.ts'
import { StepStorage } from '../runner/storage/step-storage.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import type { AutomationService } from '../service/client.ts'
import { sendTimeout } from '../service/send-at-most-once.ts'
import { findEarlier, openRecorder } from './again.ts'
import { introduce, type Connect } from './connect.ts'
import { failureOfStart } from './failure.ts'
import { tellStart } from './progress.ts'
import type { Recorder } from './recorder.ts'

export async function startAutomation(
  inputs: StartInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { connection, start } = inputs
  const { service } = connect('start', connection)
  await using storage = new StepStorage(step)
  await using recorder = openRecorder(inputs, storage, step)
  const earlier = await findEarlier('start', inputs, recorder, service, step)
  introduce(connection, step)
  if (earlier.course === 'start') return await startAnew(inputs, recorder, service, step)
  const { automation } = start
  const { executionId } = earlier
  if (earlier.course === 'fail') return failed(earlier.failure, { automation, executionId }, step)
  step.log.verdict(`${automation} was started before, as execution ${executionId}`, true)
  return passed
}

async function startAnew(
  { start }: StartInputs,
  recorder: Recorder,
  service: AutomationService,
  step: Step,
): Promise<Verdict> {
  const { clock, random, cancelled } = step
  using deadline = new Deadline(clock, sendTimeout, cancelled)
  step.log.title('Start')
  step.log.info(describeStart(start))

  const started = await startExecution(start, deadline, { service, clock, random }, tellStart(step))
  if (started.kind === 'accepted') {
    // Its end is nobody's to see here, so a re-run has to find it, however young it is.
    recorder.started(started.value.executionId)
    recorder.save()
    step.outputs.set('message', messageOutput(started.value.message, step))
    return passed
  }
  if (started.kind === 'unknown') recorder.startedUnknown()
  return failed(failureOfStart(started, step), { automation: start.automation }, step)
}

function failed(
  failure: FailureKind,
  subject: { automation: string; executionId?: string },
  { log, secrets }: Step,
): Verdict {
  const annotation = describeFailure(failure, subject, {}, (text) => secrets.show(text))
  log.verdict(annotation.title, false)
  return { kind: 'failed', annotation }
}
