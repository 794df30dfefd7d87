import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  readBatchInputs,
  readCreateProjectInputs,
  readRunInputs,
  readStartInputs,
  readWaitInputs,
} from '../../../../src/runner/inputs/read-inputs.ts'
import { defaults, type Inputs } from '../../../../src/runner/inputs/inputs.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { problemsIn, valuesOf } from './problems.ts'

const access = {
  'base-url': 'https://automations.example.com/',
  'api-token': 'token-1234',
  'api-key': 'key-1234',
}
const target = { project: 'shop', automation: 'report' }
const required = { ...access, ...target }
const connection = {
  baseUrl: 'https://automations.example.com',
  statusBaseUrl: 'https://automations.example.com',
  apiToken: 'token-1234',
  apiKey: 'key-1234',
  authorizationScheme: 'token',
}
const failOn = new Set(['error', 'container-error', 'stopped', 'timed-out', 'invalid-result'])
const waiting = { pollInterval: 5000, timeout: 3_600_000, failOn }
const publishing = {
  uploadArtifact: true,
  artifactName: undefined,
  retentionDays: undefined,
  printResult: true,
  printLog: 'on-failure',
  summary: true,
}
const request = { ...target, seed: undefined, webhook: undefined, webhookHeaders: undefined }
const rerun = { onRerun: 'resume', rerunKey: undefined, matrix: undefined }
const unset = { dashboard: undefined, jobId: undefined }

const fromDefaults = {
  connection,
  request,
  waiting,
  resultSchema: undefined,
  retrying: { retries: 0, retryOn: new Set(['container-error']) },
  publishing,
  rerun,
  ...unset,
}

/** Calls `act` with a workspace that has this file. */
async function withFile<Value>(name: string, text: string, act: (path: string) => Promise<Value>) {
  await using folder = await makeTemporaryFolder()
  await writeFile(path.join(folder.path, name), text)
  return await act(folder.path)
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
        ...target,
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

  it('report all their problems at once, and show no secret', async () => {
    const wrong = {
      'base-url': 'http://automations.example.com',
      'api-token': 'Token abcd',
      'api-key': 'two\nlines',
      project: '..',
      automation: '',
      seed: '{"a": x}',
      'seed-file': 'missing.json',
      webhook: 'hooks',
      'webhook-headers': 'no colon',
      'poll-interval': '10x',
      timeout: '721h',
      'fail-on': 'eror',
      'result-schema': '{',
      'upload-artifact': 'yes',
      'artifact-name': 'a/b',
      'retention-days': '0',
      'print-log': 'sometimes',
      summary: '1',
      retries: '11',
      'retry-on': 'stopped',
    }
    const problems = await problemsIn(readRunInputs, wrong)
    const names = problems.map((problem) => problem.slice(0, problem.indexOf(':')))
    expect([...new Set(names)]).toEqual(Object.keys(wrong))
    expect(problems.join()).not.toMatch(/abcd|two/)
  })
})

const words = 'expected one of'
const run = [readRunInputs, required] as const
const wait = [readWaitInputs, { ...access, 'execution-id': 'e-1' }] as const
const batch = [readBatchInputs, { ...required, seeds: '[]' }] as const
const oneLine =
  'expected one line of text without control characters, found a line break or another control character'

describe('one input', () => {
  it.each<[readonly [(given: Inputs) => unknown, Record<string, string>], string, string, string]>([
    [run, 'retries', '11', 'expected a whole number from 0 to 10, found "11"'],
    [run, 'poll-interval', '99ms', 'expected a duration from 100ms to 1h, found "99ms"'],
    [run, 'timeout', '600h', 'expected a duration from 1ms to 576h, found "600h"'],
    [run, 'retention-days', '401', 'expected a whole number from 1 to 400, found "401"'],
    [
      wait,
      'execution-id',
      '"e-1"',
      `expected the execution id alone, without quotes and without an address, found "\\"e-1\\""`,
    ],
    [run, 'print-log', 'x', `${words} on-failure, always, never, found "x"`],
    [run, 'on-rerun', 'x', `${words} resume, reuse, start, found "x"`],
    [run, 'authorization-scheme', 'x', `${words} token, bare, found "x"`],
    [wait, 'timeout', '600h', 'expected a duration from 0s to 576h, found "600h"'],
    [wait, 'commit-status', 'a\nb', oneLine],
    [wait, 'commit-sha', 'a\nb', oneLine],
    [batch, 'max-parallel', '0', 'expected a whole number from 1 to 200, found "0"'],
  ])('%#: %s %s has bounds', async ([read, inputs], name, text, problem) => {
    expect(await problemsIn(read, { ...inputs, [name]: text })).toEqual([`${name}: ${problem}`])
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
  const end = '; write JSON, for example {"type": "array", "minItems": 1}'

  it.each([
    ['if it begins with a brace', ' {', 'unexpected end of input at line 1, column 3'],
    [
      'if it has several lines',
      'type: array\nminItems: 1\n',
      'a text with an unexpected "t" (it looks like YAML) at line 1, column 1',
    ],
    [
      'if it begins with a brace in quotes',
      `'{"type": "array"}'`,
      'a text with an unexpected "\'" (JSON has straight double quotes) at line 1, column 1',
    ],
    [
      'if it is a JSON string with a schema',
      '"{\\"type\\": \\"array\\"}"',
      'a JSON text inside a JSON string; remove one toJSON (or json.dumps)',
      '',
    ],
    ['if it is the word Object', 'Object', 'the word Object, which an expression gives', ' with'],
  ])('is inline %s', async (_, text, found, after = end) => {
    expect(await problemsIn(readRunInputs, { ...required, 'result-schema': text })).toEqual([
      expect.stringContaining(`result-schema: expected a JSON Schema, found ${found}${after}`),
    ])
  })

  it('may be a file, which its problems name', async () => {
    const given = { ...required, 'result-schema': ' schema.json\n' }
    const read = (folder: string) => problemsIn(readRunInputs, given, folder)
    expect(await withFile('schema.json', '{', read)).toEqual([
      `result-schema: in "schema.json": expected a JSON Schema, found unexpected end of input at line 1, column 2${end}`,
    ])
  })
})

describe('the inputs of start', () => {
  const given = { ...required, 'seed-file': 'seed.json' }

  it('are the connection, the automation and its seed, also from a file', async () => {
    const seed = '{"from": "file"}\n'
    const read = (folder: string) => valuesOf(readStartInputs, given, folder)
    expect(await withFile('seed.json', seed, read)).toEqual({
      connection,
      request: { ...request, seed },
      rerun,
      commitStatus: { context: undefined, commitSha: undefined, githubToken: undefined },
      ...unset,
    })
  })

  it('give a file with a seed no advice about expressions', async () => {
    const read = (folder: string) => problemsIn(readStartInputs, given, folder)
    expect(await withFile('seed.json', '{', read)).toEqual([
      'seed-file: in "seed.json": expected a JSON object, found unexpected end of input at line 1, column 2; write JSON, for example {"city": "Bern"}',
    ])
  })

  it('are one seed', async () => {
    const read = (folder: string) => problemsIn(readStartInputs, { ...given, seed: '{}' }, folder)
    expect(await withFile('seed.json', '{}', read)).toEqual([
      'seed-file: given together with seed, and a run takes one seed; remove seed or seed-file',
    ])
  })
})

it('the inputs of wait are the execution and what happens at its end', async () => {
  const commitSha = '0123456789abcdef0123456789abcdef01234567'
  const status = { 'commit-status': 'daily', 'commit-sha': commitSha, 'github-token': 'ghs_7f3a' }
  const given = { ...access, 'execution-id': 'e-1', ...status, timeout: '0s' }
  expect(await valuesOf(readWaitInputs, given)).toEqual({
    connection,
    executionId: 'e-1',
    waiting: { ...waiting, timeout: 0 },
    resultSchema: undefined,
    publishing,
    commitStatus: { context: 'daily', commitSha, githubToken: 'ghs_7f3a' },
    ...unset,
  })
  expect(await problemsIn(readWaitInputs, { ...given, 'github-token': 'ghs\u0007' })).toEqual([
    expect.stringMatching(/^github-token: expected one line of printable ASCII/),
  ])
})

describe('the inputs of batch', () => {
  const listOf = (inputs: Record<string, string>, folder?: string) =>
    valuesOf(readBatchInputs, { ...required, ...inputs }, folder)
  const problemsWith = (inputs: Record<string, string>, folder?: string) =>
    problemsIn(readBatchInputs, { ...required, ...inputs }, folder)

  it('are an inline list, its labels and its pool', async () => {
    const seeds = '[{"city": "Ulm", "n": 1.0}, {"n": 2}]'
    const pool = { 'max-parallel': '200', 'fail-fast': 'true' }
    expect(await listOf({ seeds, label: 'city', 'seeds-file': ' ', ...pool })).toMatchObject({
      list: [
        { text: '{"city": "Ulm", "n": 1.0}', label: 'Ulm' },
        { text: '{"n": 2}', label: undefined },
      ],
      pool: { maxParallel: 200, failFast: true },
    })
  })

  it('may be a file of lines', async () => {
    const read = (folder: string) => listOf({ 'seeds-file': 'a.jsonl' }, folder)
    expect(await withFile('a.jsonl', '\uFEFF{"n": 1}\n{"n": 2}\n', read)).toMatchObject({
      list: [
        { number: 1, label: undefined },
        { number: 2, label: undefined },
      ],
    })
  })

  it.each([
    ['a.CSV', 'n;m\n1;2\n', '{"n": "1", "m": "2"}'],
    ['a.tsv', 'n;m\to\n1\t2\n', '{"n;m": "1", "o": "2"}'],
  ])('may be a table: %s', async (name, text, seed) => {
    const read = (folder: string) => listOf({ 'seeds-file': name }, folder)
    expect(await withFile(name, text, read)).toMatchObject({ list: [{ text: seed }] })
  })

  it.each([
    [
      'are required',
      { seeds: '', 'seeds-file': '\n', label: 'n' },
      ['seeds: neither seeds nor seeds-file was given; give one of the two'],
    ],
    [
      'are one list, and all problems are named',
      { seeds: '[1, 2]', 'seeds-file': 'none.json', label: 'n' },
      [
        expect.stringMatching(/^seeds: element 1: /),
        expect.stringMatching(/^seeds: element 2: /),
        expect.stringMatching(/^seeds-file: expected the path of a file, found "none.json"/),
        'seeds-file: given together with seeds, and a batch takes one list; remove seeds or seeds-file',
      ],
    ],
    [
      'are no lines if they are inline',
      { seeds: '{"n": 1}\n{"n": 2}' },
      [
        'seeds: expected a JSON array of objects, found an object; put the seeds into [ and ], or give one object per line in seeds-file',
      ],
    ],
    [
      'have a timeout of more than 0s',
      { seeds: '[]', timeout: '0s' },
      [expect.stringMatching(/^timeout: expected a duration of 1ms or more/)],
    ],
  ])('%s', async (_, inputs, problems) => {
    expect(await problemsWith(inputs)).toEqual(problems)
  })

  it.each([
    ['seeds.jsonl', '{}\n' + '{x}\n'.repeat(25), 21],
    ['seeds.json', `[{},\n${'1,\n'.repeat(25)}1]`, 21],
    ['seeds.csv', `a\n${'1,2\n'.repeat(25)}`, 21],
  ])('may have more problems than an annotation shows: %s', async (name, text, line) => {
    const read = (folder: string) => problemsWith({ 'seeds-file': name }, folder)
    const problems = await withFile(name, text, read)
    expect(problems.slice(19)).toEqual([
      expect.stringMatching(new RegExp(`^seeds-file: in "${name}": .* at line ${line}, column `)),
      'seeds-file: there are more problems',
    ])
  })
})

it('the inputs of create-project are the connection and the fields of the project', async () => {
  const given = { ...access, region: 'eu-1', 'docker-version': '3.12', name: 'reports' }
  expect(await valuesOf(readCreateProjectInputs, { ...given, 'if-exists': '' })).toEqual({
    connection,
    project: { region: 'eu-1', dockerVersion: '3.12', name: 'reports' },
    ifExists: 'fail',
  })
  const skip = { ...given, 'if-exists': 'skip' }
  expect(await valuesOf(readCreateProjectInputs, skip)).toMatchObject({ ifExists: 'skip' })
})

describe('the credentials', () => {
  const problemsWith = (given: Record<string, string>) =>
    problemsIn(readStartInputs, { ...required, ...given })

  it.each(['Token abcd', 'token  abcd', 'Bearer abcd'])(
    'are refused as %j: the scheme is sent',
    async (text) => {
      expect(await problemsWith({ 'api-token': text })).toEqual([
        'api-token: starts with Token or Bearer, but the action sends Token before it; give only the token (or set authorization-scheme to bare)',
      ])
      expect(await problemsWith({ 'api-token': text, 'authorization-scheme': 'bare' })).toEqual([])
      expect(await problemsWith({ 'api-token': `my${text}` })).toEqual([])
    },
  )

  it.each(['api-token', 'api-key'])('may be a secret that is missing: %s', async (name) => {
    expect(await problemsWith({ [name]: ' ' })).toEqual([
      `${name}: required, but empty or not given; if it comes from a secret: a reusable workflow gets secrets only if its caller passes them (secrets: inherit); pull requests from forks get none, and Dependabot gets only its own (skip this step there); a secret of an environment needs environment: in the job`,
    ])
  })
})
