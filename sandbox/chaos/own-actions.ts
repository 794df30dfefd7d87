/** The actions as a step of a life performs them: from its environment to its verdict. */
import type { Connect } from '../../src/actions/connect.ts'
import { createProject } from '../../src/actions/create-project.ts'
import { runAutomation } from '../../src/actions/run.ts'
import { startAutomation } from '../../src/actions/start.ts'
import { waitForExecution } from '../../src/actions/wait.ts'
import {
  openInputs,
  type InputDeclaration,
  type InputGroups,
  type ValuesOf,
} from '../../src/runner/inputs/declaration.ts'
import {
  createProjectInputs,
  runInputs,
  startInputs,
  waitInputs,
} from '../../src/runner/inputs/read.ts'
import type { Step, Verdict } from '../../src/runner/step.ts'
import type { Story } from './performance.ts'
import type { ActionName } from './step-plan.ts'

export const declarations: Record<ActionName, InputDeclaration> = {
  run: runInputs,
  start: startInputs,
  wait: waitInputs,
  'create-project': createProjectInputs,
}

export const ownActions = {
  run: reading(runInputs, runAutomation),
  start: reading(startInputs, startAutomation),
  wait: reading(waitInputs, waitForExecution),
  'create-project': reading(createProjectInputs, createProject),
} satisfies Record<ActionName, Story>

/** The action with its inputs read from the step's environment. */
function reading<Groups extends InputGroups>(
  inputs: InputDeclaration<Groups>,
  act: (inputs: ValuesOf<Groups>, step: Step, connect: Connect) => Promise<Verdict>,
): Story {
  return async (step, connect) => {
    return act(await openInputs(inputs, step.environment).parse(), step, connect)
  }
}
