import { runBatch } from '../actions/batch.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { batchInputs } from '../runner/inputs/read-batch.ts'
import { performStep } from '../runner/step.ts'
import { reportAt } from '../version.ts'

void performStep(
  {
    inputs: batchInputs,
    act: (inputs, step) => runBatch(inputs, step, connectOverHttp),
    outputsAfter: () => ({ conclusion: 'failure' }),
  },
  reportAt,
)
