import { runBatch } from '../actions/batch.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { showWrongInputs } from '../actions/wrong-inputs.ts'
import { CutShort } from '../messages/cut-short.ts'
import { batchInputs } from '../runner/inputs/read-batch.ts'
import { performStep } from '../runner/step.ts'

export const performBatch = () =>
  performStep({
    inputs: batchInputs,
    act: (inputs, step) => runBatch(inputs, step, connectOverHttp),
    onWrongInputs: showWrongInputs,
    outputsAfter: (error) => ({ conclusion: error instanceof CutShort ? 'cancelled' : 'failure' }),
  })
