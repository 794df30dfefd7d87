import { runBatch } from '../actions/batch.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { CutShort } from '../messages/cut-short.ts'
import { readBatchInputs } from '../runner/inputs/read-batch.ts'
import { performStep } from '../runner/step.ts'

export const performBatch = () =>
  performStep({
    read: readBatchInputs,
    act: (inputs, step) => runBatch(inputs, step, connectOverHttp),
    outputsAfter: (error, cause) => ({
      conclusion: error instanceof CutShort ? 'cancelled' : 'failure',
      cause,
    }),
  })
