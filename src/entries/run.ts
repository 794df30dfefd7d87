import { runAutomation } from '../actions/run.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { ActionError } from '../messages/annotation.ts'
import { runInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

void performStep({
  inputs: runInputs,
  act: (inputs, step) => runAutomation(inputs, step, connectOverHttp),
  onWrongInputs: async (problem, step) => {
    const { summariseWrongInputs } = await import('../actions/summarise.ts')
    await summariseWrongInputs(problem, step)
  },
  outputsAfter: (error, cause) => ({
    // What people can mend is found before anything is started; a bug may show after it.
    conclusion: error instanceof ActionError ? 'not-started' : 'unknown',
    cause,
  }),
})
