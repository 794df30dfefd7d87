import { readActionFile } from '../../sandbox/runner/action-file.ts'
import { openInputs } from '../../src/runner/inputs/declaration.ts'
import { batchInputs, type BatchInputs } from '../../src/runner/inputs/read-batch.ts'

/** Those of a batch of one seed that uploads nothing. */
export async function batchInputsOf(): Promise<BatchInputs> {
  const { defaults } = await readActionFile('batch')
  const connection = { 'base-url': 'https://a.example', 'api-token': 'token', 'api-key': 'key' }
  const subject = { project: 'demo', automation: 'cities', seeds: '[{}]' }
  const given = { ...defaults, ...connection, ...subject, 'upload-artifact': 'false' }
  const variables = Object.entries(given).map(([name, text]) => {
    return [`INPUT_${name.toUpperCase()}`, text]
  })
  return await openInputs(
    batchInputs,
    Object.fromEntries(variables) as Record<string, string>,
  ).parse()
}
