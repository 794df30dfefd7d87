import { runAutomation } from '../actions/run.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { runInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'
import { reportAt } from '../version.ts'

void performStep(
  { inputs: runInputs, act: (inputs, step) => runAutomation(inputs, step, connectOverHttp) },
  reportAt,
)
