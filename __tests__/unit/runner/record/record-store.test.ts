import { describe, expect, it } from '@jest/globals'
import type { RecordedRun } from '../../../../src/execution/begin.ts'
import { nameOfOnlyRun, type StepRecord } from '../../../../src/runner/record/record.ts'
import { type RecordAddress, hmacWith } from '../../../../src/runner/record/identity.ts'
import { RecordStore, type RecordStoreContext } from '../../../../src/runner/record/record-store.ts'
import { StorageFailure } from '../../../../src/runner/storage/storage-failure.ts'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'

const credentials = { apiToken: 'token-1', apiKey: 'key-1' }
const addressOf = (fingerprint: string, identity: string): RecordAddress => ({
  placePrefix: 'run-4200-',
  credentialsPrefix: `run-4200-${fingerprint}-`,
  stepPrefix: `run-4200-${fingerprint}-${identity}-`,
  fileName: '4200-report',
})
const address = addressOf('c0ffee00', 'f'.repeat(32))

function recordOf(executionId: string, more: Partial<StepRecord> = {}): StepRecord {
  const run: RecordedRun = { kind: 'known', attempt: 1, executionId }
  return {
    attempt: 1,
    isClosed: true,
    isReported: false,
    runs: new Map([[nameOfOnlyRun, run]]),
    ...more,
  }
}

/** The entries of the cache, oldest first. An entry is found by the name with which it was saved. */
type Entries = { key: string; name: string; content: Uint8Array }[]

/** Answers only when the signal aborts, like a client that hangs. */
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error('it hangs'))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
  })

interface Scene {
  carrier?: 'run' | 'batch'
  entries?: Entries
  more?: Partial<Pick<RecordStoreContext, 'address' | 'hmac'>>
  find?: (prefix: string, signal: AbortSignal) => Promise<string | undefined>
  /** Why the cache cannot restore files. */
  noFile?: string
  save?: (key: string, signal: AbortSignal) => Promise<void>
}

function open({ carrier = 'run', entries = [], more = {}, find, noFile, save }: Scene = {}) {
  const clock = new SimulatedClock()
  const lines: string[] = []
  const details: string[] = []
  const downloaded: string[] = []
  const newest = (prefix: string, name: string) =>
    entries.findLast((entry) => entry.key.startsWith(prefix) && entry.name === name)
  const store = new RecordStore({
    carrier,
    address,
    hmac: hmacWith(credentials),
    storage: {
      find: ({ prefix, name }, signal) => {
        if (find) return find(prefix, signal)
        return Promise.resolve(newest(prefix, name)?.key)
      },
      restore: ({ key, name, maxSize }) => {
        downloaded.push(key)
        const { content = new Uint8Array() } = newest(key, name) ?? {}
        const why = content.length > maxSize ? 'the file is too large' : noFile
        return why === undefined ? Promise.resolve(content) : Promise.reject(new Error(why))
      },
      save: async ({ key, name, content }, signal) => {
        await save?.(key, signal)
        entries.push({ key, name, content })
      },
    },
    log: { info: (line) => lines.push(line), debug: (line) => details.push(line) },
    clock,
    cancelled: new AbortController().signal,
    ...more,
  })
  return { store, clock, lines, details, entries, downloaded }
}

const save = (store: RecordStore, record: StepRecord) =>
  store.save(record, new AbortController().signal)

describe.each(['run', 'batch'] as const)('the records of a %s', (carrier) => {
  const record =
    carrier === 'run'
      ? recordOf('e-1')
      : recordOf('', {
          runs: new Map([[`${'a'.repeat(32)}-0`, { kind: 'unclear', attempt: 1 }]]),
        })

  it('are found unchanged, and only the newest is returned', async () => {
    const { store, entries, details } = open({ carrier })
    const runs = new Map([[nameOfOnlyRun, { kind: 'unclear', attempt: 7 } as const]])
    expect(await save(store, recordOf('older', { runs }))).toEqual({ isSaved: true })
    expect(await save(store, record)).toEqual({ isSaved: true })
    const reader = open({ carrier, entries })
    expect(await reader.store.find()).toEqual({ kind: 'found', record })
    expect(details.concat(reader.details)).toEqual([
      ...entries.map(({ key }) => `Saved for a re-run: ${key}`),
      `The newest record of this step: ${entries[1]?.key}`,
    ])
  })

  it('are none if nothing was saved', async () => {
    expect(await open({ carrier }).store.find()).toEqual({ kind: 'none' })
  })

  it('are unreadable if a credential has changed', async () => {
    const { store, entries } = open({ carrier })
    await save(store, record)
    const hmac = hmacWith({ ...credentials, apiKey: 'key-2' })
    const changed = { hmac, address: addressOf('beefbeef', '0'.repeat(32)) }
    expect(await open({ carrier, entries, more: changed }).store.find()).toEqual({
      kind: 'unreadable',
      why: 'the newest record of this place in the workflow was written with other credentials',
    })
  })

  it('of another step in the same place are ignored', async () => {
    const { store, entries } = open({ carrier })
    await save(store, record)
    const more = { address: addressOf('c0ffee00', '0'.repeat(32)) }
    expect(await open({ carrier, entries, more }).store.find()).toEqual({ kind: 'none' })
  })

  it('that were signed with other credentials are unreadable, and not downloaded', async () => {
    const { store, entries } = open({
      carrier,
      more: { hmac: hmacWith({ ...credentials, apiKey: 'x' }) },
    })
    await save(store, record)
    const { store: reader, downloaded } = open({ carrier, entries })
    expect(await reader.find()).toMatchObject({
      kind: 'unreadable',
      why: expect.stringContaining('another step or other credentials wrote it'),
    })
    expect(downloaded).toEqual([])
  })
})

describe('a batch’s file is unreadable', () => {
  it('if it is truncated', async () => {
    const { store, entries } = open({ carrier: 'batch' })
    await save(store, recordOf('e-1'))
    for (const entry of entries) entry.content = entry.content.subarray(0, 20)
    expect(await open({ carrier: 'batch', entries }).store.find()).toMatchObject({
      kind: 'unreadable',
    })
  })

  it('if it cannot be restored', async () => {
    const { store, entries } = open({ carrier: 'batch' })
    await save(store, recordOf('e-1'))
    const reader = open({ carrier: 'batch', entries, noFile: 'the token is refused' })
    const why = 'the token is refused'
    expect(await reader.store.find()).toEqual({ kind: 'unreadable', why })
    expect(reader.downloaded).toHaveLength(1)
  })
})

describe('a look-up', () => {
  const failing =
    (why: string, kind: StorageFailure['kind'] = 'temporary') =>
    () =>
      Promise.reject(new StorageFailure(why, kind))
  const none = () => Promise.resolve(undefined)

  const unreadable = (why: string) => ({ kind: 'unreadable', why })

  it.each([
    [
      'is tried again: a reset must not start a second run',
      [failing('a'), none],
      { kind: 'none' },
      1,
    ],
    [
      'is unreadable if it fails three times',
      [failing('a'), failing('b'), failing('c')],
      unreadable('c'),
      4,
    ],
    ['is unreadable at once if GitHub refuses it', [failing('a', 'final')], unreadable('a'), 0],
    ['is tried again if the cache is silent for 15 s', [hanging, none], { kind: 'none' }, 16],
    [
      'has the first reason if its second try is cut short',
      [failing('a'), hanging, hanging],
      unreadable('a'),
      30,
    ],
    ['takes at most 30 s', [hanging, hanging], unreadable('it hangs'), 30],
  ])('%s', async (_, answers, found, seconds) => {
    let calls = 0
    const { store, clock } = open({ find: (_prefix, signal) => (answers[calls++] ?? none)(signal) })
    expect(await store.find()).toEqual(found)
    expect([clock.elapsed, clock.sleeping]).toEqual([seconds * 1_000, 0])
  })
})

describe('a save', () => {
  it('that fails without a known execution is only a debug line', async () => {
    const problem = new Error('this runner offers no cache')
    const { store, lines } = open({ save: () => Promise.reject(problem) })
    const runs = new Map<string, RecordedRun>([['one', { kind: 'unclear', attempt: 1 }]])
    expect(await save(store, recordOf('', { runs }))).toMatchObject({ isSaved: false })
    expect(lines).toEqual([])
    // The same problem is reported, once, if the record has an execution.
    runs.set(nameOfOnlyRun, { kind: 'known', attempt: 1, executionId: 'e-1' })
    await save(store, recordOf('', { runs }))
    await save(store, recordOf('', { runs }))
    expect(lines).toHaveLength(1)
  })

  it('is not made if the id is too long for a key', async () => {
    const { store, entries, lines } = open()
    await save(store, recordOf('x'.repeat(300)))
    expect([entries, lines]).toEqual([[], [expect.stringContaining('too long for a key')]])
  })
})
