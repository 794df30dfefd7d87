import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readActionFile, type ActionName } from '../../../../scripts/docs/action-files.ts'
import { ActionError } from '../../../../src/messages/annotation.ts'
import {
  openInputs,
  type InputDeclaration,
  type InputGroups,
  type ValuesOf,
} from '../../../../src/runner/inputs/declaration.ts'
import { workspaceOf, type Environment } from '../../../../src/runner/environment.ts'
import { batchInputs } from '../../../../src/runner/inputs/read-batch.ts'
import { runInputs, startInputs } from '../../../../src/runner/inputs/read.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts'

const access = {
  'base-url': 'https://automations.example.com/',
  'api-token': 'token-1234',
  'api-key': 'key-1234',
}
const connection = {
  baseUrl: 'https://automations.example.com',
  statusBaseUrl: 'https://automations.example.com',
  apiToken: 'token-1234',
  apiKey: 'key-1234',
  authorizationScheme: 'token',
}
const defaultWaiting = {
  pollInterval: 5000,
  timeout: 3_600_000,
  failOn: new Set(['error', 'container-error', 'stopped', 'timed-out', 'invalid-result']),
}
const defaultRetrying = {
  retries: 0,
  retryOn: new Set(['container-error']),
}
const defaultPublishing = {
  uploadArtifact: true,
  printResult: true,
  printLog: 'on-failure',
  summary: true,
}
// The runner evaluates these defaults.
const defaultAgain = { onRerun: 'resume', matrix: '${{ toJSON(matrix) }}' }
const jobId = '${{ job.check_run_id }}'

/** Returns the variables of a step as the runner sets them: inputs, else defaults of action.yml. */
async function step(action: ActionName, given: Record<string, string>): Promise<Environment> {
  const { inputs } = await readActionFile(action)
  // The runner evaluates the default of `commit-sha`. For events without a commit, it is empty.
  const named: Record<string, string> = { 'commit-sha': '', ...given }
  const texts: Environment = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [
      `INPUT_${name.toUpperCase()}`,
      named[name] ?? input.default ?? '',
    ]),
  )
  return { GITHUB_WORKSPACE: workspace, ...texts }
}

function read<Groups extends InputGroups>(
  inputs: InputDeclaration<Groups>,
  environment: Environment,
): Promise<ValuesOf<Groups>> {
  return openInputs(inputs, environment, '').parse()
}

/** Returns the reported problems, as `input: problem`. */
async function problemsOf(reading: Promise<unknown>): Promise<string[]> {
  const error: unknown = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ActionError)) throw new Error('no ActionError', { cause: error })
  return error.message.split('\n')
}

let folder: TemporaryFolder
let workspace: string
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  workspace = folder.path
})
afterEach(() => folder[Symbol.asyncDispose]())

describe('the inputs of run', () => {
  it('need an address, credentials, a project and an automation; the rest has defaults', async () => {
    const environment = await step('run', { ...access, project: 'shop', automation: 'report' })
    expect(await read(runInputs, environment)).toEqual({
      connection,
      start: { project: 'shop', automation: 'report' },
      jobId,
      waiting: defaultWaiting,
      retrying: defaultRetrying,
      publishing: defaultPublishing,
      again: defaultAgain,
    })
  })

  it('become one typed value if all are given', async () => {
    const environment = await step('run', {
      ...access,
      'status-base-url': 'https://status.example.com/hosting/',
      'authorization-scheme': 'bare',
      project: 'shop',
      automation: 'report',
      seed: ' {"a": 1e400}\n',
      webhook: 'https://hooks.example.com/in?key=1',
      'webhook-headers': 'Authorization: Bearer a:b\nX-Kind: report',
      'poll-interval': '250ms',
      timeout: '1ms',
      'fail-on': '',
      retries: '2',
      'retry-on': 'error',
      'upload-artifact': 'false',
      'artifact-name': 'report of today',
      'retention-days': '30',
      'print-result': 'False',
      'print-log': 'always',
      summary: 'False',
      'on-rerun': 'reuse',
      'rerun-key': ' eu ',
      matrix: '{ "region": "eu" }',
    })
    expect(await read(runInputs, environment)).toEqual({
      connection: {
        ...connection,
        statusBaseUrl: 'https://status.example.com/hosting',
        authorizationScheme: 'bare',
      },
      start: {
        project: 'shop',
        automation: 'report',
        seed: ' {"a": 1e400}\n',
        webhook: 'https://hooks.example.com/in?key=1',
        webhookHeaders: { Authorization: 'Bearer a:b', 'X-Kind': 'report' },
      },
      waiting: { pollInterval: 250, timeout: 1, failOn: new Set() },
      retrying: { retries: 2, retryOn: new Set(['error']) },
      publishing: {
        uploadArtifact: false,
        artifactName: 'report of today',
        retentionDays: 30,
        printResult: false,
        printLog: 'always',
        summary: false,
      },
      again: { onRerun: 'reuse', rerunKey: 'eu', matrix: '{ "region": "eu" }' },
      jobId,
    })
  })

  it('report all their problems at once, in the order of action.yml', async () => {
    const environment = await step('run', {
      'base-url': 'http://automations.example.com',
      'api-token': 'Token abcd',
      'api-key': 'two\nlines',
      project: '..',
      seed: '{"a": x}',
      'seed-file': 'missing.json',
      webhook: 'hooks',
      'webhook-headers': 'no colon',
      'poll-interval': '10x',
      timeout: '721h',
      'fail-on': 'eror',
      retries: '11',
      'retry-on': 'stopped',
      'upload-artifact': 'yes',
      'artifact-name': 'a/b',
      'retention-days': '0',
      'print-log': 'sometimes',
      summary: '',
    })
    const problems = await problemsOf(read(runInputs, environment))
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
      'base-url',
      'api-token',
      'api-key',
      'project',
      'automation',
      'seed',
      'seed-file',
      'seed-file',
      'webhook',
      'webhook-headers',
      'poll-interval',
      'timeout',
      'fail-on',
      'retries',
      'retry-on',
      'upload-artifact',
      'artifact-name',
      'retention-days',
      'print-log',
      'summary',
    ])
    expect(problems.join()).not.toContain('abcd')
    expect(problems.join()).not.toContain('two')
  })

  it('are all missing if the runner passes none, even those with a default', async () => {
    const missing = await problemsOf(read(runInputs, {}))
    expect(missing).toContain(
      'base-url: required, but empty or not given; give a value (if the value comes from a variable or an output, that variable or output may be missing)',
    )
    expect(missing).toContainEqual(
      expect.stringMatching(
        /^api-key: required, but empty or not given; .* forks get no secrets, and Dependabot/,
      ),
    )
    expect(missing).toContain(
      'timeout: empty or not given; give a value, or leave the input out to use its default',
    )
    expect(missing).toHaveLength(17)
  })
})

describe('the inputs of start', () => {
  it('are the connection and the automation', async () => {
    await writeFile(path.join(workspace, 'seed.json'), '{"from": "file"}\n')
    const given = { ...access, project: 'shop', automation: 'report', 'seed-file': 'seed.json' }
    expect(await read(startInputs, await step('start', given))).toEqual({
      connection,
      start: { project: 'shop', automation: 'report', seed: '{"from": "file"}\n' },
      commitStatus: { githubToken: '${{ github.token }}' },
      again: defaultAgain,
      jobId,
    })
  })
})

describe('the inputs of batch', () => {
  it('are one typed value, whose seeds are read', async () => {
    const given = {
      ...access,
      project: 'shop',
      automation: 'report',
      seeds: '[{"n": 1.0}]',
      webhook: 'https://hooks.example.com',
    }
    const { list, ...rest } = await read(batchInputs, await step('batch', given))
    expect(list).toMatchObject([{ index: 0 }])
    expect(rest).toEqual({
      connection,
      target: { project: 'shop', automation: 'report' },
      delivery: { webhook: 'https://hooks.example.com' },
      pool: { maxParallel: 5, failFast: false },
      waiting: defaultWaiting,
      retrying: defaultRetrying,
      again: defaultAgain,
      jobId,
      publishing: defaultPublishing,
    })
  })
})

describe('the credentials', () => {
  it('may start with the word Token if they are sent without a scheme', async () => {
    const given = { ...access, 'authorization-scheme': 'bare', 'api-token': 'Token abcd' }
    const environment = await step('start', { ...given, project: 'a', automation: 'b' })
    expect((await read(startInputs, environment)).connection.apiToken).toBe('Token abcd')
  })
})

describe('the workspace', () => {
  it.each([{}, { GITHUB_WORKSPACE: '' }])(
    'is the current folder if no workspace is set: %j',
    (given) => {
      expect(workspaceOf(given)).toBe(process.cwd())
    },
  )
})
