import { waitForExecution } from '../actions/wait.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { waitInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

void performStep({
  inputs: waitInputs,
  act: (inputs, step) => waitForExecution(inputs, step, connectOverHttp),
  onWrongInputs: async (problem, step) => {
    const { summariseWrongInputs } = await import('../actions/summarise.ts')
    await summariseWrongInputs(problem, step)
  },
  // The execution may go on.
  outputsAfter: (_, cause) => ({ conclusion: 'unknown', cause }),
})
