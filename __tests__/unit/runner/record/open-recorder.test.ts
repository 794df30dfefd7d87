/** Tests which parts of a step's inputs and environment identify its records. */
import path from 'node:path'
import { expect, it } from '@jest/globals'
import type { BatchSeed } from '../../../../src/execution/batch/batch.ts'
import { readInputs } from '../../../../src/runner/inputs/inputs.ts'
import { readBatchInputs } from '../../../../src/runner/inputs/read-batch.ts'
import { nameOfSeed, onlyRun } from '../../../../src/runner/record/format.ts'
import { addressOf, signWith } from '../../../../src/runner/record/identity.ts'
import { openBatchRecorder, openRecorder } from '../../../../src/runner/record/open-recorder.ts'
import type { Storage } from '../../../../src/runner/storage/step-storage.ts'
import { batchVariables } from '../../../support/batch-inputs.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { recordedStep } from '../../actions/recorded-step.ts'

const baseUrl = 'https://automations.example'
const connection = {
  baseUrl,
  statusBaseUrl: baseUrl,
  apiToken: 'token-of-tests',
  apiKey: 'key-of-tests',
  authorizationScheme: 'token',
} as const
const sign = signWith(connection)
const target = { project: 'demo', automation: 'cities' }
const webhook = 'https://hook.example/'
const variables: Record<string, string> = {
  GITHUB_RUN_ID: '7',
  GITHUB_JOB: 'report',
  GITHUB_ACTION: 'run',
}
const inJob = { job: 'report', step: 'run', rerunKey: 'north', matrix: '{"city":"Bern"}' }
const inNothing = { job: '', step: '', rerunKey: '', matrix: 'null' }

async function openStep(environment: Record<string, string>) {
  const temporary = await makeTemporaryFolder()
  const RUNNER_TEMP = path.join(temporary.path, 'temp')
  const { step } = recordedStep({ environment: { ...environment, RUNNER_TEMP } })
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
  const remove = () => temporary[Symbol.asyncDispose]()
  return { step, storage, done, RUNNER_TEMP, [Symbol.asyncDispose]: remove }
}

it.each([
  ['all of its parts', inJob, { seed: '{"day":1}', webhook }, '7', variables],
  ['the parts that it has', inNothing, {}, '', {}],
])('one run is found again by %s', async (_, known, given, runId, environment) => {
  await using opened = await openStep(environment)
  const { rerunKey, matrix } = known
  const rerun = {
    onRerun: 'resume',
    rerunKey: rerunKey === '' ? undefined : rerunKey,
    matrix,
  } as const
  const start = {
    ...target,
    seed: undefined,
    webhook: undefined,
    webhookHeaders: undefined,
    ...given,
  }
  const { webhook = '', seed = '' }: { webhook?: string; seed?: string } = given
  const parts = { ...known, ...target, baseUrl, webhook, seed }
  const recorder = openRecorder({ connection, start, rerun }, opened.storage, opened.step)
  recorder.started(onlyRun, 'e-1')
  await recorder.close()
  const { step } = addressOf(parts, runId, sign)
  expect(opened.done).toEqual(['prepare', step, 'record'])
})

it.each([
  ['its webhook', { webhook }, webhook],
  ['the parts that it has', {}, ''],
])('a batch is found again by %s, and not by its seeds', async (_, given, webhook) => {
  await using opened = await openStep(variables)
  const read = batchVariables({
    seeds: '[{"day":0},{"day":1}]',
    'rerun-key': inJob.rerunKey,
    matrix: inJob.matrix,
    ...given,
  })
  const inputs = await readInputs(readBatchInputs, read, '')
  const { recorder, nameOf } = openBatchRecorder(inputs, opened.storage, opened.step)
  const [seed] = inputs.list as [BatchSeed]
  expect(nameOf(seed)).toBe(nameOfSeed(seed, sign))
  recorder.started(nameOf(seed), 'e-1')
  await recorder.close()
  const parts = { ...inJob, ...target, baseUrl, webhook, seed: 'batch' }
  const { step, fileName } = addressOf(parts, '7', sign)
  expect(opened.done).toEqual(['prepare', step, fileName])
})
