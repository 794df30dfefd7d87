import { describe, expect, it } from '@jest/globals'
import { onlyRun, type RecordedRun, type StepRecord } from '../../../../src/runner/record/format.ts'
import { type RecordAddress, signWith } from '../../../../src/runner/record/identity.ts'
import { RecordStore, type RecordStoreContext } from '../../../../src/runner/record/store.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'

const credentials = { apiToken: 'token-1', apiKey: 'key-1' }
const addressOf = (fingerprint: string, identity: string): RecordAddress => ({
  place: 'run-4200-',
  credentials: `run-4200-${fingerprint}-`,
  step: `run-4200-${fingerprint}-${identity}-`,
  fileName: '4200-report',
})
const address = addressOf('c0ffee00', 'f'.repeat(32))

function recordOf(executionId: string, more: Partial<StepRecord> = {}): StepRecord {
  const run: RecordedRun = { kind: 'started', attempt: 1, executionId }
  return { attempt: 1, isClosed: true, isReported: false, runs: new Map([[onlyRun, run]]), ...more }
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
  more?: Partial<Pick<RecordStoreContext, 'address' | 'sign' | 'cancelled'>>
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
  const secrets = new Secrets(() => undefined)
  const newest = (prefix: string, name: string) =>
    entries.findLast((entry) => entry.key.startsWith(prefix) && entry.name === name)
  const store = new RecordStore({
    carrier,
    address,
    sign: signWith(credentials),
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
    secrets,
    clock,
    cancelled: new AbortController().signal,
    ...more,
  })
  return { store, clock, lines, details, entries, secrets, downloaded }
}

const save = (store: RecordStore, record: StepRecord) =>
  store.save(record, new AbortController().signal)

describe.each(['run', 'batch'] as const)('the records of a %s', (carrier) => {
  const record =
    carrier === 'run'
      ? recordOf('e-1')
      : recordOf('', {
          runs: new Map([[`${'a'.repeat(32)}-0`, { kind: 'start-unknown', attempt: 1 }]]),
        })

  it('are found unchanged, and only the newest is returned', async () => {
    const { store, entries, details } = open({ carrier })
    const runs = new Map([[onlyRun, { kind: 'start-unknown', attempt: 7 } as const]])
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
    const sign = signWith({ ...credentials, apiKey: 'key-2' })
    const changed = { sign, address: addressOf('beefbeef', '0'.repeat(32)) }
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
      more: { sign: signWith({ ...credentials, apiKey: 'x' }) },
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

it('a batch’s file that is truncated is unreadable', async () => {
  const { store, entries } = open({ carrier: 'batch' })
  await save(store, recordOf('e-1'))
  for (const entry of entries) entry.content = entry.content.subarray(0, 20)
  expect(await open({ carrier: 'batch', entries }).store.find()).toMatchObject({
    kind: 'unreadable',
  })
})

it('a batch’s file that cannot be restored is unreadable', async () => {
  const { store, entries } = open({ carrier: 'batch' })
  await save(store, recordOf('e-1'))
  const reader = open({ carrier: 'batch', entries, noFile: 'the token t0p-s3cret is refused' })
  reader.secrets.add('t0p-s3cret')
  const why = 'the token *** is refused'
  expect(await reader.store.find()).toEqual({ kind: 'unreadable', why })
  expect(reader.downloaded).toHaveLength(2)
})

describe('a look-up', () => {
  const failed = () => Promise.reject(new Error('read\nECONNRESET'))

  it('that fails is tried once more: a reset must not start a second run', async () => {
    let calls = 0
    const find = () => ((calls += 1) === 1 ? failed() : Promise.resolve(undefined))
    expect(await open({ find }).store.find()).toEqual({ kind: 'none' })
  })

  it('that fails twice makes the record unreadable', async () => {
    const whys = ['the first reason', 'read\nECONNRESET', 'a third reason']
    const { store, clock } = open({
      find: () => Promise.reject(new Error(whys.shift())),
    })
    expect(await store.find()).toEqual({ kind: 'unreadable', why: 'read ECONNRESET' })
    expect(clock.elapsed).toBe(1_000)
  })

  it('that succeeds is made once', async () => {
    const { store, entries } = open()
    await save(store, recordOf('e-1'))
    const [{ key }] = entries as [Entries[number]]
    let calls = 0
    const find = () => ((calls += 1) === 1 ? Promise.resolve(key) : failed())
    expect(await open({ find }).store.find()).toMatchObject({ kind: 'found' })
  })

  it('whose second try answers when the time runs out is used', async () => {
    let calls = 0
    const find = async (_: string, signal: AbortSignal) => {
      if ((calls += 1) === 1) return failed()
      await hanging(signal).catch(() => undefined)
      return undefined
    }
    expect(await open({ find }).store.find()).toEqual({ kind: 'none' })
  })

  it('whose second try is cut short says why the first one failed', async () => {
    let calls = 0
    const find = (_: string, signal: AbortSignal) =>
      (calls += 1) === 1 ? failed() : hanging(signal)
    const { store, clock } = open({ find })
    expect(await store.find()).toEqual({ kind: 'unreadable', why: 'read ECONNRESET' })
    expect(clock.elapsed).toBe(30_000)
  })

  it('takes at most 30 s', async () => {
    const { store, clock } = open({ find: (_, signal) => hanging(signal) })
    expect(await store.find()).toEqual({ kind: 'unreadable', why: 'it hangs' })
    expect([clock.elapsed, clock.sleeping]).toEqual([30_000, 0])
  })

  it('ends when the step is cancelled', async () => {
    const more = { cancelled: AbortSignal.abort() }
    const { store, clock } = open({ find: (_, signal) => hanging(signal), more })
    expect(await store.find()).toEqual({ kind: 'unreadable', why: 'it hangs' })
    expect(clock.elapsed).toBe(0)
  })

  it('redacts a secret in its reason before it is cut', async () => {
    const secret = 'a-signature-of-an-address'
    const why = `${'x'.repeat(490)}${secret}`
    const { store, secrets } = open({ find: () => Promise.reject(new Error(why)) })
    secrets.add(secret)
    expect(await store.find()).toEqual({ kind: 'unreadable', why: `${'x'.repeat(490)}***` })
  })
})

describe('saves', () => {
  const consequence = 'A re-run of this job may start a second run.'

  it('that fail are reported in one line, once', async () => {
    const whys = ['the cache refuses it.', 'the cache did not finish within 1 s']
    const { store, lines } = open({ save: () => Promise.reject(new Error(whys.shift())) })
    for (const id of ['e-a', 'e-b']) {
      expect(await save(store, recordOf(id))).toMatchObject({ isSaved: false })
    }
    const line = `The record for a re-run may not have been saved: the cache refuses it. ${consequence}`
    expect(lines).toEqual([line])
  })

  it('that fail without a known execution are only a debug line', async () => {
    const problem = new Error('this runner offers no cache')
    const { store, lines } = open({ save: () => Promise.reject(problem) })
    const runs = new Map<string, RecordedRun>([['one', { kind: 'start-unknown', attempt: 1 }]])
    runs.set(onlyRun, { kind: 'start-unknown', attempt: 1 })
    expect(await save(store, recordOf('', { runs }))).toMatchObject({ isSaved: false })
    expect(lines).toEqual([])
    // The same problem is reported if the record has an execution.
    runs.set(onlyRun, { kind: 'started', attempt: 1, executionId: 'e-1' })
    await save(store, recordOf('', { runs }))
    expect(lines).toHaveLength(1)
  })

  it('report that an id is too long for a key', async () => {
    const { store, entries, lines } = open()
    await save(store, recordOf('x'.repeat(300)))
    expect([entries, lines]).toEqual([[], [expect.stringContaining('too long for a key')]])
  })
})
