/** Tests that one fault at any call of artifact service or cache loses neither artifact nor record. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Unfinished } from '../../sandbox/runner/artifact-store.ts'
import { systemClock } from '../../src/clock.ts'
import { messageOf } from '../../src/errors.ts'
import { nameOfOnlyRun } from '../../src/runner/record/record.ts'
import { hmacWith, type RecordForm } from '../../src/runner/record/identity.ts'
import { maxCacheTry, RecordStore } from '../../src/runner/record/record-store.ts'
import { maxSilence } from '../../src/runner/storage/step-storage.ts'
import { until, within } from '../action/support/until.ts'
import { openRunner, skippingPauses, type Runner } from '../support/storage.ts'

const page = '<!DOCTYPE html><html><head><title>Denied</title></head></html>'
const html = { 'content-type': 'text/html' }

const faults = [
  ['a reset', { fault: 'reset' }],
  ['a lost answer', { fault: 'lost' }],
  ['silence', { fault: 'stall' }],
  ['a 403 without a body', { fault: 'status', status: 403, body: '' }],
  ['a 403 without a reason', { fault: 'status', status: 403, body: '{}' }],
  ['a 408', { fault: 'status', status: 408 }],
  ['a web page with 403', { fault: 'status', status: 403, body: page, headers: html }],
] as const

async function order({ temp }: Runner, replaces = false) {
  const file = path.join(temp, 'result.json')
  await writeFile(file, '{}')
  return { name: 'report', files: [file], folder: temp, retentionDays: 1, replaces }
}

describe.each(['create', 'blob', 'finalize'] as const)('at the call %s of an upload', (on) => {
  it.each(faults)('%s does not lose the artifact', async (_, fault) => {
    await using runner = await openRunner()
    runner.artifacts.unfinished = 'listed'
    runner.artifacts.inject({ on, times: 1, ...fault })
    const clock = skippingPauses()
    const uploaded = runner.openStorage({}, clock).upload(await order(runner))
    if (fault.fault === 'stall') {
      await until(() => runner.artifacts.requests.some(({ call }) => call === on))
      await clock.advance(maxSilence)
    }
    expect(await within(uploaded)).toMatchObject({ id: expect.any(Number) })
    expect(runner.artifacts.artifacts.map(({ name }) => name)).toEqual(['report'])
  })
})

const never = new AbortController().signal
const hmac = hmacWith({ apiToken: 'token', apiKey: 'key' })
const address = {
  placePrefix: 'run-7-',
  credentialsPrefix: 'run-7-c-',
  stepPrefix: 'run-7-c-s-',
  fileName: '7-record',
}
const run = { kind: 'known', attempt: 1, executionId: 'e-1' } as const
const record = {
  savedBy: 1,
  isFinal: true,
  isReported: false,
  runs: new Map([[nameOfOnlyRun, run]]),
}

const batchRecord = { ...record, runs: new Map([[`${'a'.repeat(32)}-0`, run]]) }

function openStore(runner: Runner, form: RecordForm, clock = skippingPauses(), env = {}) {
  const lines: string[] = []
  const log = { info: (line: string) => lines.push(line), debug: () => undefined }
  const storage = runner.openStorage(env, clock)
  const context = { form, address, hmac, storage, log, clock, cancelled: never }
  return { store: new RecordStore(context), lines, clock }
}

// The artifact client repeats most of these answers itself. The cache client does not.
const refusals = [
  ['a 400', { fault: 'status', status: 400, body: '' }],
  ['a 401', { fault: 'status', status: 401, body: '{}' }],
  ['a 429', { fault: 'status', status: 429 }],
  ['a 500', { fault: 'status', status: 500 }],
  ['a web page with 200', { fault: 'html' }],
] as const

describe.each(['create', 'blob', 'finalize', 'look-up'] as const)('at the call %s', (on) => {
  it.each([...faults, ...refusals])('%s does not lose the record', async (_, fault) => {
    await using runner = await openRunner()
    runner.cache.inject({ on, times: 1, ...fault })
    const { store, lines, clock } = openStore(runner, 'key')
    const done = store.save(record, never).then(() => store.find())
    if (fault.fault === 'stall') {
      await until(() => runner.cache.requests.some(({ call }) => call === on))
      await clock.advance(maxCacheTry)
    }
    expect(await within(done)).toMatchObject({ kind: 'found', record: { runs: record.runs } })
    expect(lines).toEqual([])
  })
})

it.each([
  ...faults,
  ...refusals,
  ['a 404', { fault: 'status', status: 404 }],
  ['half a file', { fault: 'cut' }],
] as const)('a download of the record of a batch that gets %s is repeated', async (_, fault) => {
  await using runner = await openRunner()
  const { store, clock } = openStore(runner, 'file')
  await store.save(batchRecord, never)
  runner.cache.inject({ on: 'blob', times: 1, ...fault })
  const found = store.find()
  if (fault.fault === 'stall') {
    await until(() => runner.cache.requests.filter(({ call }) => call === 'blob').length > 1)
    await clock.advance(maxCacheTry)
  }
  expect(await within(found)).toEqual({ kind: 'found', record: batchRecord })
})

it('a save whose tar is ended by a signal to the process group is tried again', async () => {
  await using runner = await openRunner()
  const tar = path.join(runner.temp, 'tar')
  const endsOnce = 'mkdir "$0-has-ended" 2>&- && kill -9 $$; PATH="${PATH#*:}" exec tar "$@"'
  await writeFile(tar, `#!/bin/sh\n${endsOnce}\n`, { mode: 0o755 })
  const env = { PATH: `${runner.temp}:${process.env['PATH'] ?? ''}` }
  const { store } = openStore(runner, 'key', skippingPauses(), env)
  expect(await within(store.save(record, never))).toEqual({ isSaved: true })
})

it('the record of a batch is saved under another key after a lost answer', async () => {
  await using runner = await openRunner()
  runner.cache.inject({ on: 'create', times: 1, fault: 'lost' })
  const { store } = openStore(runner, 'file', undefined)
  expect(await within(store.save(record, never))).toEqual({ isSaved: true })
})

describe('a taken name', () => {
  /** Uploads the artifact after another one. */
  async function uploadAgain(runner: Runner, replaces: boolean) {
    const storage = runner.openStorage({}, skippingPauses())
    await storage.upload(await order(runner))
    const again = await order(runner, replaces)
    await writeFile(path.join(runner.temp, 'result.json'), '{"attempt":2}')
    return storage.upload(again)
  }

  it('is refused, and the older artifact is kept', async () => {
    await using runner = await openRunner()
    await expect(within(uploadAgain(runner, false))).rejects.toMatchObject({ kind: 'taken' })
    expect(runner.artifacts.artifacts).toHaveLength(1)
  })

  it('of an earlier attempt is replaced', async () => {
    await using runner = await openRunner()
    await within(uploadAgain(runner, true))
    const [artifact, ...others] = runner.artifacts.artifacts
    expect([artifact?.files['result.json']?.toString(), others]).toEqual(['{"attempt":2}', []])
  })

  it.each(['kept', 'hidden'] as Unfinished[])(
    'of an own request without an answer, whose artifact is %s: says so',
    async (unfinished) => {
      await using runner = await openRunner()
      runner.artifacts.unfinished = unfinished
      runner.artifacts.inject({ on: 'create', fault: 'lost', times: 1 })
      const upload = runner.openStorage({}, skippingPauses()).upload(await order(runner))
      const error = await within(upload).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ kind: 'final' })
      expect(messageOf(error)).toMatch(
        /answered 409: an artifact with this name already exists .*; that artifact stays, because it could not be replaced: /,
      )
    },
  )

  it('after a 502 of the first request is replaced', async () => {
    await using runner = await openRunner()
    runner.artifacts.unfinished = 'listed'
    runner.artifacts.inject({ on: 'create', fault: 'lost', times: 1 })
    runner.artifacts.inject({ on: 'create', fault: 'status', status: 502, times: 1 })
    const storage = runner.openStorage({}, skippingPauses())
    expect(await within(storage.upload(await order(runner)))).toMatchObject({
      digest: expect.any(String),
    })
  })
})

describe('the message of a failure', () => {
  it.each([
    [
      'a 403 without a reason',
      { fault: 'status', status: 403, body: '{}' },
      /^the artifact service 127\.0\.0\.1 answered 403$/,
    ],
    [
      'a web page',
      { fault: 'status', status: 403, body: page, headers: html },
      /^the artifact service 127\.0\.0\.1 answered 403 with a web page$/,
    ],
    [
      'a web page that begins with words',
      { fault: 'html' },
      /^the artifact service 127\.0\.0\.1 answered 200 with a web page$/,
    ],
    [
      'a reason',
      { fault: 'status', status: 403 },
      /^the artifact service 127\.0\.0\.1 answered 403: (?:injected fault|InjectedFault)$/,
    ],
    [
      'a reset',
      { fault: 'reset' },
      /^the artifact service 127\.0\.0\.1 cannot be reached \(ECONNRESET\)$/,
    ],
  ] as const)('has host and status in one line: %s', async (_, fault, expected) => {
    for (const on of ['create', 'blob', 'finalize'] as const) {
      await using runner = await openRunner()
      runner.artifacts.inject({ on, ...fault })
      const upload = runner.openStorage({}, skippingPauses()).upload(await order(runner))
      await expect(within(upload)).rejects.toThrow(expected)
    }
  })

  it('names a host that is unknown', async () => {
    await using runner = await openRunner()
    const env = { ACTIONS_RESULTS_URL: 'http://results.invalid/' }
    const upload = runner.openStorage(env, systemClock).upload(await order(runner))
    const why =
      /^the artifact service results\.invalid cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)$/
    await expect(within(upload)).rejects.toThrow(why)
  })
})
