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
    // An error that is no cancellation does not show whether the execution has ended, so the
    // conclusion is unknown.
    return { conclusion: isFollowed ? 'cancelled' : 'unknown', cause }
  },
})
