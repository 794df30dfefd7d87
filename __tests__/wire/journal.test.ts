import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { type Journal } from '../../src/runner/memory/journal-format.ts'
import { openJournalStore } from '../../src/runner/memory/journal-store.ts'
import type { Storage } from '../../src/runner/storage/step-storage.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { until, within } from '../action/support/until.ts'
import { openRunner, type Runner } from '../support/storage.ts'

const identity = '0123456789abcdef'
const name = `4200-${identity}`
const forever = new AbortController().signal

const journal: Journal = {
  attempt: 1,
  closed: true,
  complete: false,
  runs: new Map([[`${'a'.repeat(32)}-0`, { state: 'running', executionId: 'exec-1' }]]),
}

/** A step's journals; `lines` is what people read of it. Time passes by `advance` alone. */
function openStep(storage: Storage, attempt = 1) {
  const clock = new SimulatedClock({ longestJump: 0 })
  const lines: string[] = []
  const store = openJournalStore({
    runId: '4200',
    attempt,
    identity,
    clock,
    storage,
    log: { info: (line) => lines.push(line), debug: () => undefined },
    secrets: new Secrets(() => undefined),
    cancelled: forever,
  })
  return { store, lines, clock }
}

const filesLeft = async ({ temp }: Runner) =>
  (await readdir(path.join(temp, '.run-automation'))).filter((file) => file !== 'record')

describe.each(['v2', 'v1'] as const)('journals in a cache %s', (protocol) => {
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

  it('are found by a later attempt, the newest alone, on a runner with another workspace', async () => {
    const earlier = openStep(storage)
    await earlier.store.save(() => ({ ...journal, closed: false }))
    const saved = earlier.store.save(() => journal)
    await earlier.clock.advance(1_000)
    await saved
    const env = { GITHUB_WORKSPACE: path.join(runner.temp, 'a', 'deeper', 'one') }
    const later = openStep(runner.openStorage({ env }), 2)
    expect(await later.store.find()).toEqual({ kind: 'found', journal })
    expect([earlier.lines, later.lines, await filesLeft(runner)]).toEqual([[], [], []])
  })

  it('are none where there are records of single runs only', async () => {
    await storage.save(`run-automation-4200-${identity}-1-unknown`, forever)
    expect(await openStep(storage).store.find()).toEqual({ kind: 'nothing' })
  })

  it('may be read where nothing may be written, and that is said once', async () => {
    await openStep(storage).store.save(() => journal)
    runner.cache.access = 'read'
    const { store, lines } = openStep(storage, 2)
    expect(await store.find()).toEqual({ kind: 'found', journal })
    await store.save(() => journal)
    expect(lines).toEqual([expect.stringContaining('may not write to the cache')])
  })

  it('are unreadable where nothing may be read', async () => {
    await openStep(storage).store.save(() => journal)
    runner.cache.access = 'none'
    const why = expect.stringContaining('cache read denied')
    expect(await openStep(storage).store.find()).toEqual({ kind: 'unreadable', why })
  })

  it('are unreadable where the download hangs', async () => {
    await openStep(storage).store.save(() => journal)
    runner.cache.requests.length = 0
    const { store, clock } = openStep(storage, 2)
    runner.cache.inject({ on: 'blob', fault: 'stall', times: 1 })
    const found = store.find()
    await until(() =>
      runner.cache.requests.some(({ method, call }) => method === 'GET' && call === 'blob'),
    )
    await clock.advance(10_000)
    const why = expect.stringContaining('not done after 10 s')
    expect(await within(found)).toEqual({ kind: 'unreadable', why })
  })

  it.each(['not accepted', 'too large'])('are not read where they are %s', async (what) => {
    const prefix = `run-automation-4200-${identity}-`
    const key = `${prefix}1`
    await storage.saveFile({ key, name, content: new Uint8Array(200_000) }, forever)
    runner.cache.requests.length = 0
    const accepts = () => what === 'too large'
    const answer = await storage.restoreFile({ prefix, name, accepts, maxSize: 100_000 }, forever)
    const tooLarge = { kind: 'failed', why: 'the cache entry is larger than 100000 bytes' }
    const report = what === 'too large' ? tooLarge : { kind: 'refused', key }
    expect(answer).toEqual({ kind: 'report', report })
    const downloads = runner.cache.requests.filter(({ call }) => call === 'blob')
    expect(downloads.length > 0).toBe(what === 'too large')
    expect(await filesLeft(runner)).toEqual([])
  })
})
