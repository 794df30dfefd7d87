import { waitForExecution } from '../actions/wait.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { showWrongInputs } from '../actions/wrong-inputs.ts'
import { CutShort } from '../messages/cut-short.ts'
import { waitInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

export const performWait = () =>
  performStep({
    inputs: waitInputs,
    act: (inputs, step) => waitForExecution(inputs, step, connectOverHttp),
    onWrongInputs: showWrongInputs,
    outputsAfter: (error, cause) => {
      const isCancelled = error instanceof CutShort && error.conclusion === 'cancelled'
      // If the error is not a cancellation, nobody knows how the execution ended.
      return { conclusion: isCancelled ? 'cancelled' : 'unknown', cause }
    },
  })
