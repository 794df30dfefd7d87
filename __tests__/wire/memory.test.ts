import { symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { openMemory } from '../../src/runner/memory/memory.ts'
import type { EarlierExecution } from '../../src/runner/memory/record.ts'
import type { Storage } from '../../src/runner/storage/step-storage.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import type { CacheFault } from '../../sandbox/runner/cache-service.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { openRunner, type Runner } from '../support/storage.ts'
import { until, within } from '../action/support/until.ts'

// Time passes by `advance` alone.
const stopped = () => new SimulatedClock({ longestJump: 0 })

const first: EarlierExecution = { kind: 'started', attempt: 1, executionId: 'exec-1' }
const told: EarlierExecution = { ...first, kind: 'told', conclusion: 'success' }

/** A step's memory; `lines` is what people read of it. */
function openStep(
  { environment }: Runner,
  storage: Storage,
  { identity = 'abc', clock = stopped() }: Partial<Step> = {},
) {
  const lines: string[] = []
  const memory = openMemory({
    environment,
    identity,
    clock,
    storage,
    log: { info: (line) => lines.push(line), debug: () => undefined },
    secrets: new Secrets(() => undefined),
    cancelled: new AbortController().signal,
  })
  return { memory, lines }
}

interface Step {
  identity: string
  clock: SimulatedClock
}

const afterwards = 'A re-run of this job would not know of this execution.'

describe.each(['v2', 'v1'] as const)('a memory in a cache %s', (protocol) => {
  // One for all: its clients keep nothing between two requests, and take long to load.
  let runner: Runner
  let storage: Storage

  beforeAll(async () => {
    runner = await openRunner(protocol)
    storage = runner.openStorage()
  })

  afterEach(() => {
    runner.cache.evict()
    runner.cache.access = 'read-write'
    runner.cache.requests.length = 0
  })

  afterAll(() => runner[Symbol.asyncDispose]())

  it('finds what an earlier attempt of the same step left last, and nothing of another', async () => {
    const earlier = openStep(runner, storage)
    void earlier.memory.remember(first)
    await earlier.memory.close()
    const later = openStep(runner, storage)
    expect(await later.memory.find()).toEqual({ kind: 'found', record: first })
    await later.memory.remember(told)
    expect(await later.memory.find()).toEqual({ kind: 'found', record: told })
    expect(await openStep(runner, storage, { identity: 'abd' }).memory.find()).toEqual({
      kind: 'nothing',
    })
    expect([earlier.lines, later.lines]).toEqual([[], []])
  })

  it('has nothing left of what was evicted', async () => {
    const { memory } = openStep(runner, storage)
    await memory.remember(first)
    runner.cache.evict()
    expect(await memory.find()).toEqual({ kind: 'nothing' })
  })

  it('says so where a record is there already', async () => {
    const { memory, lines } = openStep(runner, storage)
    await memory.remember(first)
    await memory.remember(first)
    expect(lines).toEqual([expect.stringContaining('is in the cache already')])
    expect(await memory.find()).toEqual({ kind: 'found', record: first })
  })

  it('says so where the job may only read', async () => {
    await openStep(runner, storage).memory.remember(first)
    runner.cache.access = 'read'
    const { memory, lines } = openStep(runner, storage)
    expect(await memory.find()).toEqual({ kind: 'found', record: first })
    await memory.remember(told)
    const denied = 'cache write denied: token has no writable scopes'
    expect(lines).toEqual([`This job may not write to the cache (${denied}). ${afterwards}`])
  })

  it('is unreadable where the reply hangs, and goes on without it', async () => {
    const clock = stopped()
    const { memory } = openStep(runner, storage, { clock })
    runner.cache.inject({ on: 'look-up', fault: 'stall', times: 1 })
    const found = memory.find()
    await until(() => runner.cache.requests.length > 0)
    await clock.advance(10_000)
    const why = expect.stringContaining('not done after 10 s')
    expect(await within(found)).toEqual({ kind: 'unreadable', why })
    await memory.remember(first)
    expect(runner.cache.entries).toHaveLength(1)
  })

  it.each<CacheFault['on']>(['create', 'blob', 'finalize'])(
    'holds the step’s end for 3 s where the reply to its %s hangs',
    async (on) => {
      const clock = stopped()
      // A name of its own: the upload that hangs holds its key.
      const { memory, lines } = openStep(runner, storage, { clock, identity: on })
      runner.cache.inject({ on, fault: 'stall', times: 1 })
      void memory.remember(first)
      const closed = memory.close()
      await until(() => runner.cache.requests.some(({ call }) => call === on))
      await clock.advance(3_000)
      await within(closed)
      expect(lines).toEqual([expect.stringContaining('not done after 3 s')])
    },
  )

  it('works without zstd', async () => {
    for (const name of ['tar', 'gzip']) await symlink(find(name), path.join(runner.temp, name))
    const { memory, lines } = openStep(runner, runner.openStorage({ env: { PATH: runner.temp } }))
    const unseen =
      'this runner has no zstd, so a record that a runner with zstd saved is invisible to it'
    await openStep(runner, storage).memory.remember(told)
    expect(await memory.find()).toEqual({ kind: 'unreadable', why: unseen })
    await memory.remember(first)
    expect(await memory.find()).toEqual({ kind: 'found', record: first })
    expect(lines).toEqual([])
  })
})

describe('without a cache', () => {
  const why = 'this runner offers no cache'
  const ghes = { GITHUB_SERVER_URL: 'https://github.example.com' }
  const none = { ACTIONS_CACHE_URL: '', ACTIONS_RESULTS_URL: '' }

  it.each([
    ['on a runner that has none', none],
    ['on GitHub Enterprise Server', { ...ghes, ACTIONS_CACHE_URL: '' }],
  ])('%s nothing is known, and nothing fails', async (_, env) => {
    await using runner = await openRunner()
    const { memory, lines } = openStep(runner, runner.openStorage({ env }))
    expect(await memory.find()).toEqual({ kind: 'unreadable', why })
    await memory.remember(first)
    expect(lines).toEqual([`The record for a re-run was not saved: ${why}. ${afterwards}`])
    expect(runner.cache.requests).toEqual([])
  })

  it('on GitHub Enterprise Server with one, v1 is used', async () => {
    await using runner = await openRunner('v1')
    const env = { ...ghes, ACTIONS_CACHE_SERVICE_V2: 'True' }
    const { memory } = openStep(runner, runner.openStorage({ env }))
    await memory.remember(first)
    expect(await memory.find()).toEqual({ kind: 'found', record: first })
  })

  it('without tar nothing is saved', async () => {
    await using runner = await openRunner()
    const { memory, lines } = openStep(runner, runner.openStorage({ env: { PATH: '' } }))
    await memory.remember(first)
    expect(lines).toEqual([expect.stringMatching(/was not saved: .*tar/)])
  })
})

function find(program: string): string {
  const folders = process.env['PATH']?.split(path.delimiter) ?? []
  return folders.map((folder) => path.join(folder, program)).find(existsSync) ?? program
}
