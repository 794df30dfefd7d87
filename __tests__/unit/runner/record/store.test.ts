import { describe, expect, it } from '@jest/globals'
import { type KeptRun, onlyRun, type StepRecord } from '../../../../src/runner/record/format.ts'
import { type RecordAddress, signWith } from '../../../../src/runner/record/identity.ts'
import { RecordStore, type RecordStoreContext } from '../../../../src/runner/record/store.ts'
import type { FindReport, SaveReport } from '../../../../src/runner/storage/cache-client.ts'
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
  const run: KeptRun = { kind: 'started', attempt: 1, executionId }
  return { attempt: 1, isClosed: true, isReported: false, runs: new Map([[onlyRun, run]]), ...more }
}

/** What lies in the cache, the newest at the end. */
type Entries = { key: string; content: Uint8Array }[]

/** Answers once the signal aborts, as a client that hangs. */
const hanging = (signal: AbortSignal) =>
  new Promise<{ kind: 'failed'; why: string }>((resolve) => {
    const giveUp = () => resolve({ kind: 'failed', why: 'it hangs' })
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
  })

interface Scene {
  carrier?: 'run' | 'batch'
  entries?: Entries
  more?: Partial<Pick<RecordStoreContext, 'address' | 'sign' | 'cancelled'>>
  find?: (prefix: string, signal: AbortSignal) => Promise<FindReport>
  save?: (key: string, signal: AbortSignal) => Promise<SaveReport>
}

function open({ carrier = 'run', entries = [], more = {}, find, save }: Scene = {}) {
  const clock = new SimulatedClock()
  const lines: string[] = []
  const downloaded: string[] = []
  const secrets = new Secrets(() => undefined)
  const newest = (prefix: string) => entries.findLast(({ key }) => key.startsWith(prefix))
  const store = new RecordStore({
    carrier,
    address,
    sign: signWith(credentials),
    storage: {
      find: ({ prefix }, signal) => {
        if (find) return find(prefix, signal)
        const key = newest(prefix)?.key
        return Promise.resolve(key === undefined ? { kind: 'none' } : { kind: 'found', key })
      },
      restore: ({ key }) => {
        downloaded.push(key)
        const { content = new Uint8Array() } = newest(key) ?? {}
        return Promise.resolve({ kind: 'restored', content })
      },
      save: async ({ key, content }, signal) => {
        const report = (await save?.(key, signal)) ?? { kind: 'saved' }
        if (report.kind === 'saved') entries.push({ key, content })
        return report
      },
    },
    log: { info: (line) => lines.push(line), debug: () => undefined },
    secrets,
    clock,
    cancelled: new AbortController().signal,
    ...more,
  })
  return { store, clock, lines, entries, secrets, downloaded }
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

  it('are found as they were saved, the newest of them', async () => {
    const { store, entries } = open({ carrier })
    const runs = new Map([[onlyRun, { kind: 'start-unknown', attempt: 7 } as const]])
    expect(await save(store, recordOf('older', { runs }))).toEqual({ isSaved: true })
    expect(await save(store, record)).toEqual({ isSaved: true })
    expect(await open({ carrier, entries }).store.find()).toEqual({ kind: 'found', record })
  })

  it('are not there where none was saved', async () => {
    expect(await open({ carrier }).store.find()).toEqual({ kind: 'none' })
  })

  it('are unreadable once a credential has changed', async () => {
    const { store, entries } = open({ carrier })
    await save(store, record)
    const sign = signWith({ ...credentials, apiKey: 'key-2' })
    const changed = { sign, address: addressOf('beefbeef', '0'.repeat(32)) }
    expect(await open({ carrier, entries, more: changed }).store.find()).toEqual({
      kind: 'unreadable',
      why: 'the newest record in this place of the workflow was written with other credentials',
    })
  })

  it('of another step in the same place are of no account', async () => {
    const { store, entries } = open({ carrier })
    await save(store, record)
    const more = { address: addressOf('c0ffee00', '0'.repeat(32)) }
    expect(await open({ carrier, entries, more }).store.find()).toEqual({ kind: 'none' })
  })

  it('that somebody else has signed are unreadable, and not downloaded', async () => {
    const { store, entries } = open({
      carrier,
      more: { sign: signWith({ ...credentials, apiKey: 'x' }) },
    })
    await save(store, record)
    const { store: reader, downloaded } = open({ carrier, entries })
    expect(await reader.find()).toMatchObject({
      kind: 'unreadable',
      why: expect.stringContaining('was not written by this step'),
    })
    expect(downloaded).toEqual([])
  })

  it('of another version are unreadable', async () => {
    const { store, entries } = open({ carrier })
    await save(store, record)
    const [{ key, content }] = entries as [Entries[number]]
    const other = [{ key: key.replace('-v1-', '-v2-'), content }]
    expect(await open({ carrier, entries: other }).store.find()).toEqual({
      kind: 'unreadable',
      why: 'the newest record was written by another version of this action',
    })
  })
})

it('a batch’s file that is torn is unreadable', async () => {
  const { store, entries } = open({ carrier: 'batch' })
  await save(store, recordOf('e-1'))
  for (const entry of entries) entry.content = entry.content.subarray(0, 20)
  expect(await open({ carrier: 'batch', entries }).store.find()).toMatchObject({
    kind: 'unreadable',
  })
})

describe('a look-up', () => {
  const failed = { kind: 'failed', why: 'read\nECONNRESET' } as const

  it('that fails is tried once more: a reset must not start a second run', async () => {
    let calls = 0
    const find = () => Promise.resolve((calls += 1) === 1 ? failed : ({ kind: 'none' } as const))
    expect(await open({ find }).store.find()).toEqual({ kind: 'none' })
  })

  it('that fails twice is unreadable', async () => {
    const { store } = open({ find: () => Promise.resolve(failed) })
    expect(await store.find()).toEqual({ kind: 'unreadable', why: 'read ECONNRESET' })
  })

  it('whose second try is cut short says why the first one failed', async () => {
    let calls = 0
    const find = (_: string, signal: AbortSignal) =>
      (calls += 1) === 1 ? Promise.resolve(failed) : hanging(signal)
    const { store, clock } = open({ find })
    expect(await store.find()).toEqual({ kind: 'unreadable', why: 'read ECONNRESET' })
    expect(clock.elapsed).toBe(30_000)
  })

  it('takes at most 30 s', async () => {
    const { store, clock } = open({ find: (_, signal) => hanging(signal) })
    expect(await store.find()).toEqual({ kind: 'unreadable', why: 'it hangs' })
    expect([clock.elapsed, clock.sleeping]).toEqual([30_000, 0])
  })

  it('ends with the step', async () => {
    const more = { cancelled: AbortSignal.abort() }
    const { store, clock } = open({ find: (_, signal) => hanging(signal), more })
    expect(await store.find()).toEqual({ kind: 'unreadable', why: 'it hangs' })
    expect(clock.elapsed).toBe(0)
  })

  it('redacts a secret in its reason before it is cut', async () => {
    const secret = 'a-signature-of-an-address'
    const why = `${'x'.repeat(490)}${secret}`
    const { store, secrets } = open({ find: () => Promise.resolve({ kind: 'failed', why }) })
    secrets.add(secret)
    expect(await store.find()).toEqual({ kind: 'unreadable', why: `${'x'.repeat(490)}***` })
  })
})

describe('saves', () => {
  const consequence = 'A re-run of this job may not know what this step started.'

  it('that fail are reported in one line, once', async () => {
    const failed = { kind: 'failed', why: 'the cache refuses it.' } as const
    const { store, lines } = open({ save: () => Promise.resolve(failed) })
    for (const id of ['e-a', 'e-b']) {
      expect(await save(store, recordOf(id))).toMatchObject({ isSaved: false })
    }
    const line = `The record for a re-run may not have been saved: the cache refuses it. ${consequence}`
    expect(lines).toEqual([line])
  })

  it('that know no execution are missed by nobody: a debug line', async () => {
    const answer = { kind: 'failed', why: 'this runner offers no cache' } as const
    const { store, lines } = open({ save: () => Promise.resolve(answer) })
    const runs = new Map([[onlyRun, { kind: 'start-unknown', attempt: 1 } as const]])
    expect(await save(store, recordOf('', { runs }))).toMatchObject({ isSaved: false })
    expect(lines).toEqual([])
  })

  it('hold no id that holds a secret, since whoever may list caches can read a key', async () => {
    const { store, secrets, entries, lines } = open()
    secrets.add('s3cr3t-token')
    await save(store, recordOf('x-s3cr3t-token'))
    await save(store, recordOf('***s3cr3t-token'))
    expect([entries, lines]).toEqual([[], [expect.stringContaining('holds a secret')]])
  })

  it('of an id that fits no key say so', async () => {
    const { store, entries, lines } = open()
    await save(store, recordOf('x'.repeat(300)))
    expect([entries, lines]).toEqual([[], [expect.stringContaining('too long for a key')]])
  })
})
