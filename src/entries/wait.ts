import { reportInvalidInputs, waitForExecution } from '../actions/wait.ts'
import { connectOverHttp, userAgentOf } from '../actions/connect.ts'
import { CutShort } from '../messages/cut-short.ts'
import { openStatusesAs } from '../runner/commit-status.ts'
import { readWaitInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

export const performWait = () =>
  performStep({
    read: readWaitInputs,
    act: (inputs, step) => waitForExecution(inputs, step, connectOverHttp),
    afterInvalidInputs: (step) => reportInvalidInputs(openStatusesAs(userAgentOf('wait')), step),
    outputsAfter: (error, cause) => {
      const isCancelled = error instanceof CutShort && error.conclusion === 'cancelled'
      // Any other error says nothing about the execution. It may still be running.
      return { finished: 'false', conclusion: isCancelled ? 'cancelled' : 'unknown', cause }
    },
  })
