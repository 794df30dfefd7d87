import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { workspaceOf } from '../../../../src/runner/environment.ts'
import { defaults } from '../../../../src/runner/inputs/inputs.ts'
import {
  readCreateProjectInputs,
  readRunInputs,
  readStartInputs,
  readWaitInputs,
} from '../../../../src/runner/inputs/action-inputs.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { problemsIn, valuesOf } from './problems.ts'

const access = {
  'base-url': 'https://automations.example.com/',
  'api-token': 'token-1234',
  'api-key': 'key-1234',
}
const required = { ...access, project: 'shop', automation: 'report' }
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
  artifactName: undefined,
  retentionDays: undefined,
  printResult: true,
  printLog: 'on-failure',
  summary: true,
}
const defaultRerun = { onRerun: 'resume', rerunKey: undefined, matrix: undefined }
const noStatus = { commitStatus: undefined, commitSha: undefined, githubToken: undefined }
const unset = { dashboard: undefined, jobId: undefined }

const fromDefaults = {
  connection,
  request: {
    project: 'shop',
    automation: 'report',
    seed: undefined,
    webhook: undefined,
    webhookHeaders: undefined,
  },
  waiting: defaultWaiting,
  resultSchema: undefined,
  retrying: defaultRetrying,
  publishing: defaultPublishing,
  rerun: defaultRerun,
  ...unset,
}

describe('the inputs of run', () => {
  it.each([
    ['are left out', {}],
    ['are empty', Object.fromEntries(Object.keys(defaults).map((name) => [name, ' \n']))],
    ['are the defaults', defaults],
  ])('have the same values if all but the required inputs %s', async (_, inputs) => {
    expect(await valuesOf(readRunInputs, { ...required, ...inputs })).toEqual(fromDefaults)
  })

  it('become one typed value if all are given', async () => {
    const inputs = {
      ...required,
      'status-base-url': 'https://status.example.com/hosting/',
      'authorization-scheme': 'bare',
      'dashboard-url': 'https://dashboard.example.com/{execution-id}',
      seed: ' {"a": 1e400}\n',
      webhook: 'https://hooks.example.com/in?key=1',
      'webhook-headers': 'Authorization: Bearer a:b\nX-Kind: report',
      'poll-interval': '250ms',
      timeout: '1ms',
      'fail-on': 'none',
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
      'job-id': '7',
    }
    expect(await valuesOf(readRunInputs, inputs)).toEqual({
      connection: {
        ...connection,
        statusBaseUrl: 'https://status.example.com/hosting',
        authorizationScheme: 'bare',
      },
      dashboard: 'https://dashboard.example.com/{execution-id}',
      request: {
        project: 'shop',
        automation: 'report',
        seed: ' {"a": 1e400}\n',
        webhook: 'https://hooks.example.com/in?key=1',
        webhookHeaders: { Authorization: 'Bearer a:b', 'X-Kind': 'report' },
      },
      waiting: { pollInterval: 250, timeout: 1, failOn: new Set() },
      resultSchema: undefined,
      retrying: { retries: 2, retryOn: new Set(['error']) },
      publishing: {
        uploadArtifact: false,
        artifactName: 'report of today',
        retentionDays: 30,
        printResult: false,
        printLog: 'always',
        summary: false,
      },
      rerun: { onRerun: 'reuse', rerunKey: 'eu', matrix: '{ "region": "eu" }' },
      jobId: '7',
    })
  })

  it('report all their problems at once', async () => {
    const problems = await problemsIn(readRunInputs, {
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
      'result-schema': '{',
      'fail-on': 'eror',
      retries: '11',
      'retry-on': 'stopped',
      'upload-artifact': 'yes',
      'artifact-name': 'a/b',
      'retention-days': '0',
      'print-log': 'sometimes',
      summary: '1',
    })
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
      'result-schema',
      'upload-artifact',
      'artifact-name',
      'retention-days',
      'print-log',
      'summary',
      'retries',
      'retry-on',
    ])
    expect(problems.join()).not.toContain('abcd')
    expect(problems.join()).not.toContain('two')
  })

  it.each([
    ['retries', '11', 'expected a whole number from 0 to 10, found "11"'],
    ['poll-interval', '99ms', 'expected a duration from 100ms to 1h, found "99ms"'],
    ['timeout', '600h', 'expected a duration from 1ms to 576h, found "600h"'],
    ['retention-days', '401', 'expected a whole number from 1 to 400, found "401"'],
  ])('have bounds: %s %s', async (name, text, problem) => {
    expect(await problemsIn(readRunInputs, { ...required, [name]: text })).toEqual([
      `${name}: ${problem}`,
    ])
  })

  it.each([
    ['print-log', 'on-failure, always, never'],
    ['on-rerun', 'resume, reuse, start'],
    ['authorization-scheme', 'token, bare'],
  ])('are one of a few words: %s', async (name, words) => {
    expect(await problemsIn(readRunInputs, { ...required, [name]: 'x' })).toEqual([
      `${name}: expected one of ${words}, found "x"`,
    ])
  })

  it('are one seed', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'seed.json'), '{}')
    const given = { ...required, seed: '{}', 'seed-file': 'seed.json' }
    expect(await problemsIn(readRunInputs, given, folder.path)).toEqual([
      'seed-file: given together with seed, and a run takes one seed; remove seed or seed-file',
    ])
  })

  it('say why a seed may be no JSON', async () => {
    const [problem] = await problemsIn(readRunInputs, { ...required, seed: '{"name": Ada}' })
    expect(problem).toContain('insert it with toJSON')
  })
})

describe('retry-on', () => {
  const given = { ...required, 'retry-on': 'error, invalid-result' }

  it('may name invalid-result only with a schema', async () => {
    expect(await problemsIn(readRunInputs, given)).toEqual([
      'retry-on: contains invalid-result, which needs the input result-schema; give a schema',
    ])
  })

  it('has no problem of its own if the schema has one', async () => {
    expect(await problemsIn(readRunInputs, { ...given, 'result-schema': 'none.json' })).toEqual([
      expect.stringMatching(/^result-schema: expected the path of a file/),
    ])
  })
})

describe('a schema', () => {
  it('is inline if it begins with a brace', async () => {
    expect(await problemsIn(readRunInputs, { ...required, 'result-schema': ' {' })).toEqual([
      'result-schema: expected a JSON Schema, found unexpected end of input at line 1, column 3; write JSON, for example {"type": "array", "minItems": 1}',
    ])
    expect(await problemsIn(readRunInputs, { ...required, 'result-schema': '[{}]' })).toEqual([
      expect.stringMatching(
        /^result-schema: expected a JSON Schema, found an array; write an object/,
      ),
    ])
  })

  it('is inline if it has several lines', async () => {
    const yaml = 'type: array\nminItems: 1\n'
    expect(await problemsIn(readRunInputs, { ...required, 'result-schema': yaml })).toEqual([
      'result-schema: expected a JSON Schema, found a text with an unexpected "t" (it looks like YAML) at line 1, column 1; write JSON, for example {"type": "array", "minItems": 1}',
    ])
  })

  it('may be a file, which its problems name', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'schema.json'), '{')
    const given = { ...required, 'result-schema': ' schema.json\n' }
    expect(await problemsIn(readRunInputs, given, folder.path)).toEqual([
      'result-schema: in "schema.json": expected a JSON Schema, found unexpected end of input at line 1, column 2; write JSON, for example {"type": "array", "minItems": 1}',
    ])
  })
})

describe('the inputs of start', () => {
  const { request, rerun } = fromDefaults

  it('are the connection, the automation and its seed, also from a file', async () => {
    await using folder = await makeTemporaryFolder()
    const seed = '{"from": "file"}\n'
    await writeFile(path.join(folder.path, 'seed.json'), seed)
    const given = { ...required, 'seed-file': 'seed.json' }
    expect(await valuesOf(readStartInputs, given, folder.path)).toEqual({
      connection,
      request: { ...request, seed },
      rerun,
      commitStatus: noStatus,
      ...unset,
    })
  })

  it('give a file with a seed no advice about expressions', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'seed.json'), '{')
    const given = { ...required, 'seed-file': 'seed.json' }
    expect(await problemsIn(readStartInputs, given, folder.path)).toEqual([
      'seed-file: in "seed.json": expected a JSON object, found unexpected end of input at line 1, column 2; write JSON, for example {"city": "Bern"}',
    ])
  })
})

describe('the inputs of wait', () => {
  const given = { ...access, 'execution-id': 'e-1' }

  it('are the execution and what happens at its end', async () => {
    const commitSha = '0123456789abcdef0123456789abcdef01234567'
    const status = { 'commit-status': 'daily', 'commit-sha': commitSha, 'github-token': 'ghs_7f3a' }
    expect(await valuesOf(readWaitInputs, { ...given, ...status, timeout: '0s' })).toEqual({
      connection,
      executionId: 'e-1',
      waiting: { ...defaultWaiting, timeout: 0 },
      resultSchema: undefined,
      publishing: defaultPublishing,
      commitStatus: { commitStatus: 'daily', commitSha, githubToken: 'ghs_7f3a' },
      ...unset,
    })
  })

  it('have a timeout with bounds of its own', async () => {
    expect(await problemsIn(readWaitInputs, { ...given, timeout: '600h' })).toEqual([
      'timeout: expected a duration from 0s to 576h, found "600h"',
    ])
  })

  it('allow a context of one line, and a token that a header can contain', async () => {
    const wrong = { ...given, 'commit-status': 'a\nb', 'github-token': 'ghs\u0007' }
    expect(await problemsIn(readWaitInputs, wrong)).toEqual([
      expect.stringMatching(/^commit-status: expected one line/),
      expect.stringMatching(/^github-token: expected one line/),
    ])
  })
})

describe('the inputs of create-project', () => {
  it('are the connection and the fields of the project', async () => {
    const given = { ...access, region: 'eu-1', 'docker-version': '3.12', name: 'reports' }
    expect(await valuesOf(readCreateProjectInputs, { ...given, 'if-exists': '' })).toEqual({
      connection,
      project: { region: 'eu-1', dockerVersion: '3.12', name: 'reports' },
      ifExists: 'fail',
    })
    const skip = { ...given, 'if-exists': 'skip' }
    expect(await valuesOf(readCreateProjectInputs, skip)).toMatchObject({ ifExists: 'skip' })
  })
})

describe('the credentials', () => {
  const problemsWith = (given: Record<string, string>) =>
    problemsIn(readStartInputs, { ...required, ...given })

  it('may contain the word token, but not at their beginning', async () => {
    expect(await problemsWith({ 'api-token': 'mytoken 1234' })).toEqual([])
  })

  it.each(['Token abcd', 'token  abcd', 'Bearer abcd'])(
    'are refused as %j: the scheme is sent',
    async (text) => {
      expect(await problemsWith({ 'api-token': text })).toEqual([
        'api-token: starts with Token or Bearer, but the action sends Token before it; give only the token (or set authorization-scheme to bare)',
      ])
      expect(await problemsWith({ 'api-token': text, 'authorization-scheme': 'bare' })).toEqual([])
    },
  )

  it.each(['api-token', 'api-key'])('may be a secret that is missing: %s', async (name) => {
    expect(await problemsWith({ [name]: ' ' })).toEqual([
      `${name}: required, but empty or not given; if it comes from a secret: a reusable workflow gets secrets only if its caller passes them (secrets: inherit); pull requests from forks get none, and Dependabot gets only its own (skip this step there); a secret of an environment needs environment: in the job`,
    ])
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
