import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type KeptRun, onlyRun, type StepRecord } from '../../src/runner/record/format.ts'
import { signWith } from '../../src/runner/record/identity.ts'
import { CacheRecordStore } from '../../src/runner/record/store.ts'
import type { Storage } from '../../src/runner/storage/step-storage.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import type { CacheFault } from '../../sandbox/runner/cache-service.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { openRunner, type Runner } from '../support/storage.ts'
import { until, within } from '../action/support/until.ts'

const run: KeptRun = { kind: 'started', attempt: 1, executionId: 'exec-1' }
const record: StepRecord = {
  attempt: 1,
  isClosed: true,
  isReported: false,
  runs: new Map([[onlyRun, run]]),
}
const batch: StepRecord = { ...record, runs: new Map([[`${'a'.repeat(32)}-0`, run]]) }
const consequence = 'A re-run of this job would not know what this step started.'

interface Given {
  carrier?: 'run' | 'batch'
  identity?: string
  subject?: string
  clock?: SimulatedClock
}

/** The records of a step; `lines` is what people read of them. Time passes by `advance` alone. */
function openStep(
  storage: Storage,
  { carrier = 'run', identity = 'abc', subject = 'one', clock }: Given = {},
) {
  const lines: string[] = []
  const store = new CacheRecordStore({
    carrier,
    address: { runId: '4200', place: 'place', credentials: 'c0ffee00', identity, subject },
    attempt: 1,
    sign: signWith({ apiToken: 'token-1', apiKey: 'key-1' }),
    clock: clock ?? new SimulatedClock({ maxJump: 0 }),
    storage,
    log: { info: (line) => lines.push(line), debug: () => undefined },
    secrets: new Secrets(() => undefined),
    cancelled: new AbortController().signal,
  })
  return { store, lines }
}

describe.each(['v2', 'v1'] as const)('records in a cache %s', (protocol) => {
  // One for all: it keeps nothing between two requests, and takes long to load.
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

  it.each(['run', 'batch'] as const)('of a %s are found by a later attempt', async (carrier) => {
    const left = carrier === 'run' ? record : batch
    const earlier = openStep(storage, { carrier })
    void earlier.store.save(() => left)
    await earlier.store.close()
    const later = openStep(storage, { carrier })
    expect(await later.store.find()).toEqual({ kind: 'found', record: left })
    const other = openStep(storage, { carrier, identity: 'abd' })
    expect(await other.store.find()).toEqual({ kind: 'nothing' })
    expect([earlier.lines, later.lines]).toEqual([[], []])
  })

  it('of a single run are never downloaded', async () => {
    await openStep(storage).store.save(() => record)
    runner.cache.requests.length = 0
    await openStep(storage).store.find()
    expect(runner.cache.requests.map(({ call }) => call)).toEqual(['look-up'])
  })

  it('may be read where the job may not write, and the log says so', async () => {
    await openStep(storage).store.save(() => record)
    runner.cache.access = 'read'
    const { store, lines } = openStep(storage)
    expect(await store.find()).toEqual({ kind: 'found', record })
    expect(
      await store.save(() => ({
        ...record,
        runs: new Map([[onlyRun, { ...run, executionId: 'exec-2' }]]),
      })),
    ).toBe(false)
    const denied = 'cache write denied: token has no writable scopes'
    expect(lines).toEqual([`This job may not write to the cache (${denied}). ${consequence}`])
  })

  it('are unreadable where the answer hangs, and are saved all the same', async () => {
    const clock = new SimulatedClock({ maxJump: 0 })
    const { store } = openStep(storage, { clock })
    runner.cache.inject({ on: 'look-up', fault: 'stall', times: 1 })
    const found = store.find()
    await until(() => runner.cache.requests.length > 0)
    await clock.advance(30_000)
    const why = expect.stringContaining('did not finish within 30 s')
    expect(await within(found)).toEqual({ kind: 'unreadable', why })
    expect(await store.save(() => record)).toBe(true)
  })

  it.each<CacheFault['on']>(['create', 'blob', 'finalize'])(
    'hold the step’s end for 3 s where the answer to its %s hangs',
    async (on) => {
      const clock = new SimulatedClock({ maxJump: 0 })
      // A name of its own: the upload that hangs holds its key.
      const { store, lines } = openStep(storage, { clock, identity: on })
      runner.cache.inject({ on, fault: 'stall', times: 1 })
      void store.save(() => record)
      const closed = store.close()
      await until(() => runner.cache.requests.some(({ call }) => call === on))
      await clock.advance(3_000)
      await within(closed)
      expect(lines).toEqual([expect.stringContaining('did not finish within 3 s')])
    },
  )
})
