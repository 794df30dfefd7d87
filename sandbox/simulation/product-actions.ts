/** Prepares the actions of the product for the simulation. */
import type { Connect } from '../../src/actions/connect.ts'
import { runBatch } from '../../src/actions/batch.ts'
import { createProject } from '../../src/actions/create-project.ts'
import { runAutomation } from '../../src/actions/run.ts'
// The next modules are loaded at the start, because the simulated clock does not wait for imports.
import '../../src/actions/batch/report.ts'
import '../../src/actions/publish-run.ts'
import '../../src/download/collect.ts'
import '../../src/execution/cause.ts'
import '../../src/messages/batch/junit.ts'
import { startAutomation } from '../../src/actions/start.ts'
import { waitForExecution } from '../../src/actions/wait.ts'
import { wholeProblem } from '../../src/execution/result-problems.ts'
import { ActionError } from '../../src/messages/annotation.ts'
import {
  openInputs,
  type InputDeclaration,
  type InputGroups,
  type ValuesOf,
} from '../../src/runner/inputs/declaration.ts'
import {
  createProjectInputs,
  type RunInputs,
  runInputs,
  startInputs,
  waitInputs,
} from '../../src/runner/inputs/read.ts'
import { batchInputs } from '../../src/runner/inputs/read-batch.ts'
import type { ResultSchema } from '../../src/runner/result-schema/compiled-schema.ts'
import type { Step, Verdict } from '../../src/runner/step.ts'
import type { Actions } from './simulated-step.ts'
import type { ActionName } from './step-plan.ts'

export const declarations: Record<ActionName, InputDeclaration> = {
  run: runInputs,
  start: startInputs,
  wait: waitInputs,
  batch: batchInputs,
  'create-project': createProjectInputs,
}

export const productActions = {
  run: reading(runInputs, runToConclusion),
  start: reading(startInputs, startAutomation),
  wait: reading(waitInputs, waitForExecution),
  batch: reading(batchInputs, runBatch),
  'create-project': reading(createProjectInputs, createProject),
} satisfies Actions

/** Sets the conclusion `not-started` if the action throws an ActionError, as its entry does. */
async function runToConclusion(inputs: RunInputs, step: Step, connect: Connect): Promise<Verdict> {
  try {
    return await runAutomation(inputs, step, connect)
  } catch (error) {
    if (error instanceof ActionError) step.outputs.complete({ conclusion: 'not-started' })
    throw error
  }
}

/** A schema that no result matches. It uses no worker, because a worker would take real time. */
const noneMatches: ResultSchema = {
  unknownFormats: [],
  check: () => Promise.resolve(wholeProblem('none matches')),
  [Symbol.dispose]: () => undefined,
}

/**
 * Returns an action that reads its inputs from the environment. The result schema, and `retry-on`
 * with a schema, are not parsed, because the worker for schemas takes real time.
 */
function reading<Groups extends InputGroups>(
  inputs: InputDeclaration<Groups>,
  act: (inputs: ValuesOf<Groups>, step: Step, connect: Connect) => Promise<Verdict>,
): (step: Step, connect: Connect) => Promise<Verdict> {
  return async (step, connect) => {
    const { environment } = step
    const {
      'INPUT_RESULT-SCHEMA': resultSchema,
      'INPUT_RETRY-ON': retryOn,
      ...others
    } = environment
    const given = resultSchema ? { ...others, 'INPUT_RETRY-ON': 'error' } : environment
    const values = await openInputs(inputs, given, '').parse()
    return act(resultSchema ? withSchema(values, retryOn) : values, step, connect)
  }
}

function withSchema<Values extends object>(values: Values, retryOn = ''): Values {
  const { retrying, checking }: { retrying?: object; checking?: object } = values
  const resultSchema = noneMatches
  const again = { retryOn: new Set(retryOn.split(',')), resultSchema }
  return {
    ...values,
    ...(retrying && { retrying: { ...retrying, ...again } }),
    ...(checking && { checking: { ...checking, resultSchema } }),
  }
}
