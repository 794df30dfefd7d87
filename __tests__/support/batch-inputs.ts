import { readInputs } from '../../src/runner/inputs/inputs.ts'
import type { BatchInputs } from '../../src/runner/inputs/action-inputs.ts'
import { readBatchInputs } from '../../src/runner/inputs/read-inputs.ts'

/** Returns the inputs of a batch of one seed that uploads nothing. */
export async function batchInputsOf(): Promise<BatchInputs> {
  return await readInputs(readBatchInputs, batchVariables({ seeds: '[{}]' }), '')
}

/** Returns the variables of a batch that runs one seed at a time and uploads nothing. */
export function batchVariables(given: Record<string, string>) {
  const connection = {
    'base-url': 'https://automations.example',
    'api-token': 'token-of-tests',
    'api-key': 'key-of-tests',
  }
  const subject = { project: 'demo', automation: 'cities', 'max-parallel': '1' }
  const inputs = { ...connection, ...subject, 'upload-artifact': 'false', ...given }
  const variables = Object.entries(inputs).map(([name, text]) => {
    return [`INPUT_${name.toUpperCase()}`, text]
  })
  return Object.fromEntries(variables) as Record<string, string>
}
