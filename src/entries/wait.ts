import { waitForExecution } from '../actions/wait.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { showWrongInputs } from '../actions/wrong-inputs.ts'
import { CutShort } from '../messages/cut-short.ts'
import { waitInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

void performStep({
  inputs: waitInputs,
  act: (inputs, step) => waitForExecution(inputs, step, connectOverHttp),
  onWrongInputs: showWrongInputs,
  outputsAfter: (error, cause) => {
    const isFollowed = error instanceof CutShort && error.conclusion === 'cancelled'
    // After an error other than a cancellation, the end of the execution is not known, so the
    // conclusion is unknown.
    return { conclusion: isFollowed ? 'cancelled' : 'unknown', cause }
  },
})
