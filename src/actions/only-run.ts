/** Opens what the root action and `start` need for their only run. */
import type { RunEvent } from '../execution/events.ts'
import type { SendStart } from '../execution/follow-run.ts'
import { linksTo } from '../messages/run-link.ts'
import type { StartInputs } from '../runner/inputs/action-inputs.ts'
import { nameOfOnlyRun } from '../runner/record/format.ts'
import { openRecorder } from '../runner/record/open-recorder.ts'
import type { Step } from '../runner/step.ts'
import type { Connect } from './open-clients.ts'
import { recordEvent, setExecution, type ExecutionOutput } from './run-events.ts'
import { RunLog } from './run-log.ts'

/** The caller closes the recorder. */
export function openOnlyRun(
  action: 'run' | 'start',
  inputs: Pick<StartInputs, 'connection' | 'dashboard' | 'request' | 'rerun'>,
  step: Step<ExecutionOutput>,
  connect: Connect,
) {
  const connections = connect(action, inputs.connection)
  const storage = connections.openStorage(step)
  const linkOf = linksTo(inputs.dashboard)
  const recorder = openRecorder(inputs, storage, step)
  const runLog = new RunLog(linkOf, step)
  // The outputs come first, so that users find a run even if something fails after its start.
  const emit = (event: RunEvent) => {
    if (event.kind === 'started') setExecution(event.executionId, linkOf, step.outputs)
    recordEvent(event, nameOfOnlyRun, recorder)
    runLog.write(event)
  }
  const sendStart: SendStart = (untilAnswered, untilConnected) =>
    connections.service.startAutomation(inputs.request, untilAnswered, untilConnected)
  return { connections, storage, linkOf, recorder, emit, sendStart }
}
