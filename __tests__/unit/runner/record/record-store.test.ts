import { describe, expect, it } from '@jest/globals'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { addressOf, hmacWith, type RecordForm } from '../../../../src/runner/record/identity.ts'
import {
  nameOfOnlyRun,
  type RecordedRun,
  type StepRecord,
} from '../../../../src/runner/record/record.ts'
import { RecordStore } from '../../../../src/runner/record/record-store.ts'
import { StorageFailure } from '../../../../src/runner/storage/storage-failure.ts'

function recordOf(run: RecordedRun, name = nameOfOnlyRun): StepRecord {
  return { savedBy: 1, isFinal: true, isReported: false, runs: new Map([[name, run]]) }
}
const started = (executionId: string) => ({ kind: 'known', attempt: 1, executionId }) as const
const unclear = { kind: 'unclear', attempt: 1 } as const

interface Scene {
  form?: RecordForm
  /** The entries of the cache, oldest first. */
  entries?: { key: string; name: string; content: Uint8Array }[]
  apiKey?: string
  subject?: string
  /** Replaces the look-ups in the entries. */
  find?: (signal: AbortSignal) => Promise<string | undefined>
  /** Why the cache cannot restore or save files. */
  problem?: string
}

function open({ form = 'key', entries = [], apiKey = 'key-1', ...scene }: Scene = {}) {
  const { subject = 'demo', find, problem } = scene
  const clock = new SimulatedClock()
  const lines: string[] = []
  let downloads = 0
  const hmac = hmacWith({ apiToken: 'token-1', apiKey })
  const newest = (prefix: string, name: string) =>
    entries.findLast((entry) => entry.key.startsWith(prefix) && entry.name === name)
  const store = new RecordStore({
    form,
    address: addressOf(form, '7', ['report'], [subject], hmac),
    hmac,
    storage: {
      find: ({ prefix, name }, signal) =>
        find?.(signal) ?? Promise.resolve(newest(prefix, name)?.key),
      restore: ({ key, name }) => {
        downloads += 1
        const { content = new Uint8Array() } = newest(key, name) ?? {}
        return problem === undefined ? Promise.resolve(content) : Promise.reject(new Error(problem))
      },
      save: (entry) => {
        if (problem !== undefined) return Promise.reject(new Error(problem))
        entries.push(entry)
        return Promise.resolve()
      },
    },
    log: { info: (line) => lines.push(line), debug: () => undefined },
    clock,
    cancelled: new AbortController().signal,
  })
  const save = (record: StepRecord) => store.save(record, new AbortController().signal)
  return { store, save, clock, lines, entries, downloads: () => downloads }
}

const none = { kind: 'none' }
const unreadable = (why: unknown = expect.any(String)) => ({ kind: 'unreadable', why })
const otherCredentials =
  'the newest record of this place in the workflow was written with other credentials'

describe.each(['key', 'file'] as const)('a record in a %s', (form) => {
  const name = form === 'key' ? nameOfOnlyRun : `${'a'.repeat(32)}-0`
  const record = recordOf(started('e-1'), name)

  it.each<[string, Scene, object, number?]>([
    ['is found unchanged, if it is the newest', {}, { kind: 'found', record }, 1],
    ['of other credentials is unreadable', { apiKey: 'key-2' }, unreadable(otherCredentials), 0],
    ['of another step in the same place is ignored', { subject: 'other' }, none, 0],
    ['that does not exist is none', { entries: [] }, none, 0],
  ])('%s', async (_, scene, found, downloads = 0) => {
    const { entries, save } = open({ form })
    await save(recordOf(unclear, name))
    expect(await save(record)).toEqual({ isSaved: true })
    const reader = open({ form, entries, ...scene })
    expect(await reader.store.find()).toEqual(found)
    expect(reader.downloads()).toBe(form === 'file' ? downloads : 0)
  })

  it('with the HMAC of other credentials is unreadable, and not downloaded', async () => {
    const { entries, save } = open({ form })
    await save(record)
    for (const entry of entries) entry.key = entry.key.replace(/[0-9a-f]{32}$/, '0'.repeat(32))
    const { store, downloads } = open({ form, entries })
    const why = expect.stringContaining('another step or other credentials wrote it')
    expect([await store.find(), downloads()]).toEqual([unreadable(why), 0])
  })
})

it.each<[string, string | undefined]>([
  ['is truncated', undefined],
  ['cannot be restored', 'the token is refused'],
])('the file of a batch is unreadable if it %s', async (_, problem) => {
  const { entries, save } = open({ form: 'file' })
  await save(recordOf(started('e-1')))
  if (!problem) for (const entry of entries) entry.content = entry.content.subarray(0, 20)
  const reader = open({ form: 'file', entries, ...(problem && { problem }) })
  expect(await reader.store.find()).toEqual(unreadable(problem))
})

describe('a look-up', () => {
  type Find = NonNullable<Scene['find']>
  const failing =
    (why: string, kind: StorageFailure['kind'] = 'temporary'): Find =>
    () =>
      Promise.reject(new StorageFailure(why, kind))
  const missing: Find = () => Promise.resolve(undefined)
  /** Answers only when the signal aborts, like a client that hangs. */
  const hanging: Find = (signal) =>
    new Promise((_, reject) => {
      const giveUp = () => reject(new Error('it hangs'))
      if (signal.aborted) giveUp()
      signal.addEventListener('abort', giveUp)
    })
  const [a, b, c] = ['a', 'b', 'c'].map((why) => failing(why)) as [Find, Find, Find]

  it.each<[string, Find[], object, number]>([
    ['is tried again: a reset must not start a second run', [a, missing], none, 1],
    ['is unreadable if it fails three times', [a, b, c], unreadable('c'), 4],
    ['is unreadable at once if GitHub refuses it', [failing('a', 'final')], unreadable('a'), 0],
    ['is tried again if the cache is silent for 15 s', [hanging, missing], none, 16],
    [
      'has the first reason if its second try is cut short',
      [a, hanging, hanging],
      unreadable('a'),
      30,
    ],
    ['takes at most 30 s', [hanging, hanging], unreadable('it hangs'), 30],
  ])('%s', async (_, answers, found, seconds) => {
    const { store, clock } = open({ find: (signal) => (answers.shift() ?? missing)(signal) })
    expect(await store.find()).toEqual(found)
    expect([clock.elapsed, clock.sleeping]).toEqual([seconds * 1_000, 0])
  })
})

describe('a save', () => {
  it('that fails is reported once, if the record has an execution', async () => {
    const { save, lines } = open({ problem: 'this runner offers no cache' })
    expect(await save(recordOf(unclear))).toEqual({ isSaved: false })
    expect(lines).toEqual([])
    for (const id of ['e-1', 'e-2']) await save(recordOf(started(id)))
    expect(lines).toHaveLength(1)
  })

  it('is not made if the id is too long for a key', async () => {
    const { save, entries, lines } = open()
    await save(recordOf(started('x'.repeat(300))))
    expect([entries, lines]).toEqual([[], [expect.stringContaining('too long for a key')]])
  })
})
