import { describe, expect, it } from '@jest/globals'
import { type Journal, writeJournal } from '../../../../src/runner/memory/journal-format.ts'
import { openJournalStore, withoutJournals } from '../../../../src/runner/memory/journal-store.ts'
import { recordPrefix } from '../../../../src/runner/memory/record.ts'
import type { CacheFile, SaveReport } from '../../../../src/runner/storage/cache-client.ts'
import type {
  Answer,
  CacheFileOrder,
  FileReport,
} from '../../../../src/runner/storage/step-storage.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'

const identity = '0123456789abcdef'
const prefix = recordPrefix('4200', identity)
const journal: Journal = { attempt: 1, closed: false, complete: false, runs: new Map() }
const key = `${prefix}1-journal-1767225600000-1`
const report = <Report>(value: Report): Answer<Report> => ({ kind: 'report', report: value })
const afterwards = 'A re-run of this job would not know of these executions.'

/** Answers once the signal aborts, as a client that hangs. */
const hanging = (signal: AbortSignal) =>
  new Promise<Answer<never>>((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'given-up', lastLine: undefined }))
  })

interface Scene {
  restore?: (signal: AbortSignal, order: CacheFileOrder) => Promise<Answer<FileReport>>
  save?: (file: CacheFile, signal: AbortSignal) => Promise<Answer<SaveReport>>
  cancelled?: AbortSignal
}

function open({ restore, save, cancelled = new AbortController().signal }: Scene) {
  const clock = new SimulatedClock()
  const lines: string[] = []
  const orders: unknown[] = []
  const saved: { at: number; key: string; text: string }[] = []
  const store = openJournalStore({
    runId: '4200',
    attempt: 1,
    identity,
    clock,
    cancelled,
    secrets: new Secrets(() => undefined),
    log: { info: (line) => lines.push(line), debug: () => undefined },
    storage: {
      restoreFile: (order, signal) => {
        orders.push(order)
        return restore?.(signal, order) ?? Promise.resolve(report({ kind: 'none' }))
      },
      saveFile: (file, signal) => {
        const text = Buffer.from(file.content).toString()
        saved.push({ at: clock.elapsed, key: file.key, text })
        return save?.(file, signal) ?? Promise.resolve(report({ kind: 'saved' }))
      },
    },
  })
  return { store, clock, lines, orders, saved }
}

describe('what is found', () => {
  const found = (key: string, content: Uint8Array) =>
    open({
      restore: (_, { accepts }) =>
        Promise.resolve(report({ kind: accepts(key) ? 'found' : 'refused', key, content })),
    }).store.find()

  it('is the newest journal of this step in this workflow run, of a bounded size', async () => {
    const { store, orders } = open({})
    expect(await store.find()).toEqual({ kind: 'nothing' })
    const name = `4200-${identity}`
    const accepts = expect.any(Function)
    expect(orders).toEqual([{ prefix, name, accepts, maxSize: 16_777_216 }])
    expect(await found(key, writeJournal(journal))).toEqual({ kind: 'found', journal })
  })

  it.each([
    ['of a single run', `${prefix}1-unknown`, writeJournal(journal)],
    ['that is broken', key, Buffer.from('{}')],
  ])('%s is unreadable', async (_, key, content) => {
    const why = 'the newest record is broken, or was written by another version of this action'
    expect(await found(key, content)).toEqual({ kind: 'unreadable', why })
  })

  it.each<[string, Answer<FileReport>, string]>([
    ['denied', report({ kind: 'failed', why: 'cache read denied:\nno' }), 'cache read denied: no'],
    ['lost with its thread', { kind: 'failure', name: 'E', message: 'no memory' }, 'no memory'],
  ])('is unreadable where it is %s', async (_, answer, why) => {
    const { store } = open({ restore: () => Promise.resolve(answer) })
    expect(await store.find()).toEqual({ kind: 'unreadable', why })
  })

  it('is unreadable after 10 s, the download included', async () => {
    const { store, clock } = open({ restore: hanging })
    const why = 'the cache was not done after 10 s'
    expect(await store.find()).toEqual({ kind: 'unreadable', why })
    expect([clock.elapsed, clock.sleeping]).toEqual([10_000, 0])
  })

  it('is unreadable once the step is cancelled', async () => {
    const cancellation = new AbortController()
    const { store } = open({ restore: hanging, cancelled: cancellation.signal })
    const finding = store.find()
    cancellation.abort()
    expect(await finding).toEqual({ kind: 'unreadable', why: 'the step was cancelled' })
  })
})

describe('saves', () => {
  const numbered = (attempt: number) => () => ({ ...journal, attempt })
  const attemptsIn = (saved: { text: string }[]) =>
    saved.map(({ text }) => (JSON.parse(text) as Journal).attempt)

  it('have a key of their own each, and never two in one second', async () => {
    const { store, saved } = open({})
    await store.save(() => journal)
    await store.save(() => journal)
    expect(saved.map(({ key, at }) => [key, at])).toEqual([
      [key, 0],
      [key.replace(/1$/, '2'), 1_000],
    ])
  })

  it('come one after the other; of those that wait, the newest is saved', async () => {
    const first = Promise.withResolvers<Answer<SaveReport>>()
    const { store, saved } = open({
      save: (file) =>
        file.key === key ? first.promise : Promise.resolve(report({ kind: 'saved' })),
    })
    const all = [1, 2, 3].map((attempt) => store.save(numbered(attempt)))
    await new Promise((resolve) => setImmediate(resolve))
    expect(saved).toHaveLength(1)
    first.resolve(report({ kind: 'saved' }))
    await Promise.all(all)
    expect(saved.map(({ key }) => key.at(-1))).toEqual(['1', '3'])
    expect(attemptsIn(saved).at(-1)).toBe(3)
  })

  it('hold the step’s end for 3 s, what hangs before the last one for half of it', async () => {
    const { store, clock, saved, lines } = open({ save: (_, signal) => hanging(signal) })
    void store.save(numbered(1))
    await new Promise((resolve) => setImmediate(resolve))
    void store.save(numbered(2))
    const before = clock.elapsed
    await store.close()
    expect([clock.elapsed - before, clock.sleeping]).toEqual([3_000, 0])
    expect(attemptsIn(saved)).toEqual([1, 2])
    expect(lines.at(-1)).toContain('may not have been saved')
  })

  it.each<[string, Answer<SaveReport>, string]>([
    [
      'denied',
      report({ kind: 'denied', why: 'cache write denied: no scopes' }),
      `This job may not write to the cache (cache write denied: no scopes). ${afterwards}`,
    ],
    [
      'failed',
      report({ kind: 'failed', why: 'this runner offers no cache' }),
      `The record for a re-run was not saved: this runner offers no cache. ${afterwards}`,
    ],
  ])('that are %s are told in one line, however many there are', async (_, answer, line) => {
    const { store, lines } = open({ save: () => Promise.resolve(answer) })
    for (let count = 0; count < 3; count += 1) await store.save(() => journal)
    expect(lines).toEqual([line])
  })

  it('are not made of what no attempt would read', async () => {
    const runs = new Map([['a'.repeat(17 * 2 ** 20), { state: 'unknown' } as const]])
    const { store, lines, saved } = open({})
    await store.save(() => ({ ...journal, runs }))
    expect(saved).toEqual([])
    expect(lines).toEqual([expect.stringContaining('it is larger than 16777216 bytes')])
  })
})

it('without journals nothing is known, and the reason is told once', async () => {
  const lines: string[] = []
  const store = withoutJournals('GITHUB_RUN_ID is not set', { info: (line) => lines.push(line) })
  expect(await store.find()).toEqual({ kind: 'unreadable', why: 'GITHUB_RUN_ID is not set' })
  await store.save(() => journal)
  await store.save(() => journal)
  await store.close()
  expect(lines).toEqual([
    `The record for a re-run was not saved: GITHUB_RUN_ID is not set. ${afterwards}`,
  ])
})
