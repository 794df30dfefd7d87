/** Tests which parts of a step's inputs and environment identify its records. */
import { describe, expect, it } from '@jest/globals'
import { readInputs } from '../../../../src/runner/inputs/inputs.ts'
import { readBatchInputs, readStartInputs } from '../../../../src/runner/inputs/read-inputs.ts'
import { addressOf, hmacWith } from '../../../../src/runner/record/identity.ts'
import { openBatchRecorder, openRecorder } from '../../../../src/runner/record/open-recorder.ts'
import { nameOfOnlyRun } from '../../../../src/runner/record/record.ts'
import type { Storage } from '../../../../src/runner/storage/step-storage.ts'
import { batchVariables } from '../../../support/batch-inputs.ts'
import { recordedStep } from '../../actions/recorded-step.ts'

const variables = { GITHUB_RUN_ID: '7', GITHUB_JOB: 'report', GITHUB_ACTION: 'run' }

/** Returns the key prefix and the file name of the record that a step saves. */
async function savedBy(
  action: 'run' | 'batch',
  inputs: Record<string, string> = {},
  environment: object = {},
) {
  const saved: string[] = []
  const unused = () => Promise.reject(new Error('not used'))
  const storage: Storage = {
    prepare: () => undefined,
    upload: unused,
    restore: unused,
    find: unused,
    save: ({ key, name }) => {
      saved.push(key.slice(0, key.indexOf('v1-')), name)
      return Promise.resolve()
    },
  }
  const { step } = recordedStep({ environment: { ...variables, ...environment } })
  const given = batchVariables(action === 'batch' ? { seeds: '[{}]', ...inputs } : inputs)
  const recorder =
    action === 'batch'
      ? openBatchRecorder(await readInputs(readBatchInputs, given, ''), storage, step).recorder
      : openRecorder(await readInputs(readStartInputs, given, ''), storage, step)
  recorder.started(nameOfOnlyRun, 'e-1')
  await recorder.close()
  return saved
}

const differences: [name: string, inputs: Record<string, string>, environment: object][] = [
  ['workflow run', {}, { GITHUB_RUN_ID: '8' }],
  ['job', {}, { GITHUB_JOB: 'other' }],
  ['step', {}, { GITHUB_ACTION: 'other' }],
  ['matrix', { matrix: '{"city":"Bern"}' }, {}],
  ['rerun-key', { 'rerun-key': 'north' }, {}],
  ['base-url', { 'base-url': 'https://other.example' }, {}],
  ['project', { project: 'other' }, {}],
  ['automation', { automation: 'other' }, {}],
  ['webhook', { webhook: 'https://hook.example/' }, {}],
]

describe.each(['run', 'batch'] as const)('the record of a step (%s)', (action) => {
  it.each(differences)('is another one with another %s', async (_, inputs, environment) => {
    const [prefix, file] = await savedBy(action)
    const [otherPrefix, otherFile] = await savedBy(action, inputs, environment)
    expect(otherPrefix).not.toBe(prefix)
    if (action === 'batch') expect(otherFile).not.toBe(file)
  })
})

it('the records of a step have the same address in each attempt', async () => {
  expect(await savedBy('run')).toEqual([
    'run-automation-7-81c5873c17a86c5b-bf3a3498-2f4ec9b3783440d0c61ab80df50e5e8e-',
    'record',
  ])
  expect(await savedBy('batch')).toEqual([
    'run-automation-7-81c5873c17a86c5b-bf3a3498-59ac5939e2767ef7e280b9e41d3cd128-',
    '7-81c5873c17a86c5b-61763150044b1257',
  ])
})

it('the record of a run depends on its seed, the record of a batch on none', async () => {
  expect(await savedBy('run', { seed: '{"day":1}' })).not.toEqual(await savedBy('run'))
  expect(await savedBy('batch', { seeds: '[{"day":1}]' })).toEqual(await savedBy('batch'))
})

describe('the address of a record', () => {
  const credentials = { apiToken: 'token-1', apiKey: 'key-1' }
  const address = (place: string[], given = credentials) =>
    addressOf('key', '7', place, ['demo', 'report'], hmacWith(given))

  it('changes if text moves from one part to the next', () => {
    expect(address(['ab', 'c']).stepPrefix).not.toBe(address(['a', 'bc']).stepPrefix)
  })

  it('cannot be computed without both credentials', () => {
    const own = address([])
    for (const other of [{ apiToken: 'token-2' }, { apiKey: 'key-2' }]) {
      const guessed = address([], { ...credentials, ...other })
      expect(guessed.placePrefix).toBe(own.placePrefix)
      expect(guessed.credentialsPrefix).not.toBe(own.credentialsPrefix)
      expect(guessed.stepPrefix.split('-').at(-2)).not.toBe(own.stepPrefix.split('-').at(-2))
    }
    expect(own.stepPrefix.startsWith(own.credentialsPrefix)).toBe(true)
    expect(own.credentialsPrefix.startsWith(own.placePrefix)).toBe(true)
  })
})
