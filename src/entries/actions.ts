/**
 * The entry of the bundle: what each action reads, does, and outputs after an error. `main` of each
 * action.yml is a file that calls one of these functions.
 */
import { connectOverHttp, userAgentOf } from '../actions/connections.ts'
import { runAutomation } from '../actions/run.ts'
import { ActionError, CutShort } from '../messages/notice.ts'
import { openStatusesAs } from '../runner/commit-status.ts'
import {
  readBatchInputs,
  readCreateProjectInputs,
  readRunInputs,
  readStartInputs,
  readWaitInputs,
} from '../runner/inputs/read-inputs.ts'
import { performStep } from '../runner/step.ts'

/**
 * The functions have the names of the actions, because the build makes a file for each name. Each
 * action but the root is loaded from a chunk of its own, so that the root starts sooner.
 */
export const actions = {
  run: () =>
    performStep({
      read: readRunInputs,
      act: (inputs, step) => runAutomation(inputs, step, connectOverHttp),
      outputsAfter: (error, cause) => {
        if (error instanceof CutShort) return { conclusion: error.conclusion, cause }
        // Any other ActionError is thrown before a start. After any other error, a run may exist.
        return { conclusion: error instanceof ActionError ? 'not-started' : 'unknown', cause }
      },
    }),
  start: async () => {
    const { startAutomation } = await import('../actions/start.ts')
    await performStep({
      read: readStartInputs,
      act: (inputs, step) => startAutomation(inputs, step, connectOverHttp),
    })
  },
  wait: async () => {
    const { reportInvalidInputs, waitForExecution } = await import('../actions/wait.ts')
    await performStep({
      read: readWaitInputs,
      act: (inputs, step) => waitForExecution(inputs, step, connectOverHttp),
      afterInvalidInputs: (step) => reportInvalidInputs(openStatusesAs(userAgentOf('wait')), step),
      outputsAfter: (error, cause) => {
        // Any other error says nothing about the execution. It may still be running.
        const conclusion = error instanceof CutShort ? 'cancelled' : 'unknown'
        return { finished: 'false', conclusion, cause }
      },
    })
  },
  batch: async () => {
    const { runBatch } = await import('../actions/batch.ts')
    await performStep({
      read: readBatchInputs,
      act: (inputs, step) => runBatch(inputs, step, connectOverHttp),
      outputsAfter: (error, cause) => ({
        conclusion: error instanceof CutShort ? 'cancelled' : 'failure',
        cause,
      }),
    })
  },
  'create-project': async () => {
    const { createProject } = await import('../actions/create-project.ts')
    await performStep({
      read: readCreateProjectInputs,
      act: (inputs, step) => createProject(inputs, step, connectOverHttp),
    })
  },
}
