import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { RecordedRun } from '../../src/execution/rerun.ts'
import { onlyRun, type StepRecord } from '../../src/runner/record/format.ts'
import { signWith } from '../../src/runner/record/identity.ts'
import { RecordStore } from '../../src/runner/record/store.ts'
import type { Storage } from '../../src/runner/storage/step-storage.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { openRunner, type Runner } from '../support/storage.ts'

const run: RecordedRun = { kind: 'started', attempt: 1, executionId: 'exec-1' }
const record: StepRecord = {
  attempt: 1,
  isClosed: true,
  isReported: false,
  runs: new Map([[onlyRun, run]]),
}
const { signal } = new AbortController()
const batch: StepRecord = { ...record, runs: new Map([[`${'a'.repeat(32)}-0`, run]]) }

interface Given {
  carrier?: 'run' | 'batch'
  identity?: string
}

/** Returns the record store of a step, and the lines that people read about its records. */
function openStep(storage: Storage, { carrier = 'run', identity = 'abc' }: Given = {}) {
  const lines: string[] = []
  const store = new RecordStore({
    carrier,
    address: {
      place: 'run-place-',
      credentials: 'run-place-c0ffee00-',
      step: `run-place-c0ffee00-${identity}-`,
      fileName: 'place-one',
    },
    sign: signWith({ apiToken: 'token-1', apiKey: 'key-1' }),
    clock: new SimulatedClock({ maxJump: 0 }),
    storage,
    log: { info: (line) => lines.push(line), debug: () => undefined },
    secrets: new Secrets(() => undefined),
    cancelled: new AbortController().signal,
  })
  return { store, lines }
}

describe.each(['v2', 'v1'] as const)('records in a cache %s', (protocol) => {
  // All tests share the runner, which is slow to load and keeps nothing between requests.
  let runner: Runner
  let storage: Storage

  beforeAll(async () => {
    runner = await openRunner(protocol)
    storage = runner.openStorage()
  })

  afterEach(() => {
    runner.cache.evict()
    runner.cache.requests.length = 0
  })

  afterAll(() => runner[Symbol.asyncDispose]())

  it.each(['run', 'batch'] as const)('of a %s are found by a later attempt', async (carrier) => {
    const left = carrier === 'run' ? record : batch
    const earlier = openStep(storage, { carrier })
    await earlier.store.save(left, signal)
    const later = openStep(storage, { carrier })
    expect(await later.store.find()).toEqual({ kind: 'found', record: left })
    const other = openStep(storage, { carrier, identity: 'abd' })
    expect(await other.store.find()).toEqual({ kind: 'none' })
    expect([earlier.lines, later.lines]).toEqual([[], []])
  })

  it('of a single run are never downloaded', async () => {
    await openStep(storage).store.save(record, signal)
    runner.cache.requests.length = 0
    await openStep(storage).store.find()
    expect(runner.cache.requests.map(({ call }) => call)).toEqual(['look-up'])
  })
})
