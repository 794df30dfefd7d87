import { describe, expect, it } from '@jest/globals'
import {
  readActionFiles,
  type ActionFile,
  type ActionName,
  type Input,
} from '../../scripts/docs/action-files.ts'
import {
  InputError,
  openInputs,
  type InputDeclaration,
} from '../../src/runner/inputs/declaration.ts'
import type { Environment } from '../../src/runner/inputs/environment.ts'
import { batchInputs } from '../../src/runner/inputs/read-batch.ts'
import {
  createProjectInputs,
  runInputs,
  startInputs,
  waitInputs,
} from '../../src/runner/inputs/read.ts'

const actions = await readActionFiles()
const declarations: Record<ActionName, InputDeclaration> = {
  run: runInputs,
  start: startInputs,
  wait: waitInputs,
  batch: batchInputs,
  'create-project': createProjectInputs,
}

/** The inputs that have a problem when a step gives nothing, and the defaults are as in `inputs`. */
async function missingInputs(action: ActionName, inputs: ActionFile['inputs']): Promise<string[]> {
  const texts: Environment = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [`INPUT_${name.toUpperCase()}`, input.default]),
  )
  const error: unknown = await openInputs(declarations[action], texts)
    .parse()
    .catch((reason: unknown) => reason)
  if (!(error instanceof InputError)) throw new Error('no InputError', { cause: error })
  return error.problems.map(({ input }) => input)
}

/** Of each of these, some other input can take the place, so that action.yml can't require it. */
const replaceable: readonly string[] = ['seeds']

function isRequired(name: string, { required }: Input): boolean {
  return required === true || replaceable.includes(name)
}

describe.each(['run', 'start', 'wait', 'batch', 'create-project'] as const)(
  'the inputs of %s',
  (action) => {
    const { inputs } = actions[action]

    it('are required by the code where action.yml says so, and nowhere else', async () => {
      const required = Object.entries(inputs).filter(([name, input]) => isRequired(name, input))
      expect(await missingInputs(action, inputs)).toEqual(required.map(([name]) => name))
    })

    it('have no default in the code', async () => {
      const bare = Object.entries(inputs).map(
        ([name, { description }]) => [name, { description }] as const,
      )
      // What GitHub tells of the event may be empty, and so may these inputs.
      const fixed = (text = '') => text !== '' && !text.includes('${{ github.')
      const valued = Object.entries(inputs).filter(
        ([name, input]) => isRequired(name, input) || fixed(input.default),
      )
      expect(await missingInputs(action, Object.fromEntries(bare))).toEqual(
        valued.map(([name]) => name),
      )
    })
  },
)
