/** Prepares the actions of the product for the simulation. */
import type { Connect } from '../../src/actions/connections.ts'
import { runBatch } from '../../src/actions/batch.ts'
import { createProject } from '../../src/actions/create-project.ts'
import { runAutomation } from '../../src/actions/run.ts'
// The next modules are loaded at the start, because the simulated clock does not wait for imports.
import '../../src/actions/batch/publish-batch.ts'
import '../../src/actions/publish-run.ts'
import '../../src/download/collect.ts'
import '../../src/cause/find-cause.ts'
import '../../src/messages/batch/junit.ts'
import { startAutomation } from '../../src/actions/start.ts'
import { waitForExecution } from '../../src/actions/wait.ts'
import { wholeProblem } from '../../src/execution/result-problems.ts'
import { ActionError } from '../../src/messages/notice.ts'
import { readInputs, type Inputs } from '../../src/runner/inputs/inputs.ts'
import {
  readBatchInputs,
  readCreateProjectInputs,
  readRunInputs,
  readStartInputs,
  readWaitInputs,
} from '../../src/runner/inputs/read-inputs.ts'
import type { Conclusion } from '../../src/execution/conclusion.ts'
import type { ResultSchema } from '../../src/runner/result-schema/compiled-schema.ts'
import type { Verdict } from '../../src/runner/step.ts'
import type { Actions, SimulatedStep } from './simulated-step.ts'

export const productActions = {
  run: reading(readRunInputs, concluding(runAutomation, 'not-started')),
  start: reading(readStartInputs, startAutomation),
  wait: reading(readWaitInputs, concluding(waitForExecution, 'unknown')),
  batch: reading(readBatchInputs, runBatch),
  'create-project': reading(readCreateProjectInputs, createProject),
} satisfies Actions

/** Sets this conclusion if the action throws an ActionError, as its entry does. */
function concluding<Values>(
  act: (inputs: Values, step: SimulatedStep, connect: Connect) => Promise<Verdict>,
  conclusion: Conclusion,
): typeof act {
  return async (inputs, step, connect) => {
    try {
      return await act(inputs, step, connect)
    } catch (error) {
      if (error instanceof ActionError) step.outputs.complete({ conclusion })
      throw error
    }
  }
}

/** A schema that no result matches. It uses no worker, because a worker would take real time. */
const noneMatches: ResultSchema = {
  unknownFormats: [],
  validate: () => Promise.resolve(wholeProblem('none matches')),
  [Symbol.dispose]: () => undefined,
}

/**
 * Returns an action that reads its inputs from the environment. The result schema, and `retry-on`
 * with a schema, are not parsed, because the worker for schemas takes real time.
 */
function reading<Values extends object>(
  inputs: (given: Inputs) => Promise<Values>,
  act: (inputs: Values, step: SimulatedStep, connect: Connect) => Promise<Verdict>,
): (step: SimulatedStep, connect: Connect) => Promise<Verdict> {
  return async (step, connect) => {
    const { environment } = step
    const {
      'INPUT_RESULT-SCHEMA': resultSchema,
      'INPUT_RETRY-ON': retryOn,
      ...others
    } = environment
    const given = resultSchema ? { ...others, 'INPUT_RETRY-ON': 'error' } : environment
    const values = await readInputs(inputs, given, '')
    return act(resultSchema ? withSchema(values, retryOn) : values, step, connect)
  }
}

function withSchema<Values extends object>(values: Values, retryOn = ''): Values {
  const { retrying }: { retrying?: object } = values
  const resultSchema = noneMatches
  const again = retrying && { retrying: { ...retrying, retryOn: new Set(retryOn.split(',')) } }
  return { ...values, ...again, resultSchema }
}
