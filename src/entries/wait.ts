import { waitForExecution } from '../actions/wait.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { CutShort } from '../messages/cut-short.ts'
import { readWaitInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

export const performWait = () =>
  performStep({
    read: readWaitInputs,
    act: (inputs, step) => waitForExecution(inputs, step, connectOverHttp),
    outputsAfter: (error, cause) => {
      const isCancelled = error instanceof CutShort && error.conclusion === 'cancelled'
      // Any other error says nothing about the execution. It may still be running.
      return { conclusion: isCancelled ? 'cancelled' : 'unknown', cause }
    },
  })
