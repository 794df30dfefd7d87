/** Tests which parts of a step's inputs and environment identify its records. */
import { expect, it } from '@jest/globals'
import { readInputs } from '../../../../src/runner/inputs/inputs.ts'
import { readBatchInputs } from '../../../../src/runner/inputs/read-batch.ts'
import { readStartInputs } from '../../../../src/runner/inputs/read.ts'
import { nameOfSeed, nameOfOnlyRun } from '../../../../src/runner/record/format.ts'
import { addressOf, type IdentityParts, signWith } from '../../../../src/runner/record/identity.ts'
import { openBatchRecorder, openRecorder } from '../../../../src/runner/record/open-recorder.ts'
import type { Storage } from '../../../../src/runner/storage/step-storage.ts'
import { batchVariables } from '../../../support/batch-inputs.ts'
import { recordedStep } from '../../actions/recorded-step.ts'

const sign = signWith({ apiToken: 'token-of-tests', apiKey: 'key-of-tests' })
const variables = { GITHUB_RUN_ID: '7', GITHUB_JOB: 'report', GITHUB_ACTION: 'run' }
const inJob = { job: 'report', step: 'run', rerunKey: '', matrix: '' }
const webhook = 'https://hook.example/'
const given = { webhook, 'rerun-key': 'north', matrix: '{"city":"Bern"}' }
const parts = { webhook, rerunKey: 'north', matrix: '{"city":"Bern"}' }

function openStep(environment: Record<string, string>) {
  const done: string[] = []
  const unused = () => Promise.reject(new Error('not used'))
  const storage: Storage = {
    prepare: () => void done.push('prepare'),
    upload: unused,
    restore: unused,
    find: unused,
    save: ({ key, name }) => {
      done.push(key.slice(0, key.indexOf('v1-')), name)
      return Promise.resolve()
    },
  }
  return { ...recordedStep({ environment }), storage, done }
}

const addressFor = (more: Partial<IdentityParts>, runId: string) => {
  const target = { baseUrl: 'https://automations.example', project: 'demo', automation: 'cities' }
  return addressOf({ ...inJob, ...target, webhook: '', seed: '', ...more }, runId, sign)
}

it.each([
  ['all of its parts', variables, { ...given, seed: '{"day":1}' }, { ...parts, seed: '{"day":1}' }],
  ['the parts that it has', {}, {}, { job: '', step: '' }],
])('one run is found again by %s', async (_, environment, inputs, known) => {
  const { step, storage, done } = openStep(environment)
  const values = await readInputs(readStartInputs, batchVariables(inputs), '')
  const recorder = openRecorder(values, storage, step)
  recorder.started(nameOfOnlyRun, 'e-1')
  await recorder.close()
  const runId = 'GITHUB_RUN_ID' in environment ? '7' : ''
  expect(done).toEqual(['prepare', addressFor(known, runId).stepPrefix, 'record'])
})

it.each([
  ['all of its parts', given, parts],
  ['the parts that it has', {}, {}],
])('a batch is found again by %s, and not by its seeds', async (_, inputs, known) => {
  const { step, storage, done } = openStep(variables)
  const read = batchVariables({ seeds: '[{"day":0},{"day":1}]', ...inputs })
  const values = await readInputs(readBatchInputs, read, '')
  const { recorder, nameOf } = openBatchRecorder(values, storage, step)
  const names = values.list.map((seed) => nameOf(seed))
  expect(names).toEqual(values.list.map((seed) => nameOfSeed(seed, sign)))
  recorder.started(String(names[0]), 'e-1')
  await recorder.close()
  const address = addressFor({ ...known, seed: 'batch' }, '7')
  expect(done).toEqual(['prepare', address.stepPrefix, address.fileName])
})
