import { describe, expect, it } from '@jest/globals'
import type { RunRecord } from '../../../../src/execution/batch/record.ts'
import type { OnRerun } from '../../../../src/runner/inputs/again.ts'
import { BatchJournal } from '../../../../src/runner/memory/batch-journal.ts'
import {
  type Journal,
  type JournalRun,
  nameOf,
} from '../../../../src/runner/memory/journal-format.ts'
import type { FoundJournal } from '../../../../src/runner/memory/journal-store.ts'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { runBatch } from '../../../support/batch-run.ts'
import type { Course } from '../../../support/batch-service.ts'

const second = 1_000
const minute = 60 * second
/** What is to be done at once is done. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

const seeds = Array.from({ length: 4 }, (_, index) => {
  return { index, text: '{}', label: undefined, key: String(index), occurrence: 0 }
})
const [one, two, three, four] = seeds as [Seed, Seed, Seed, Seed]
type Seed = (typeof seeds)[number]

interface Given {
  attempt?: number
  onRerun?: OnRerun
  retries?: number
  found?: FoundJournal
}

/** A batch's journal; `saved` has the moment and the content of each save. */
function open({
  attempt = 1,
  onRerun = 'resume',
  retries = 0,
  found = { kind: 'nothing' },
}: Given = {}) {
  const clock = new SimulatedClock({ longestJump: 0 })
  const saved: { at: number; journal: Journal }[] = []
  let asked = 0
  let closed = 0
  let prepared = 0
  const journal = new BatchJournal({
    seeds,
    attempt,
    onRerun,
    retries,
    clock,
    prepare: () => void (prepared += 1),
    openStore: () =>
      Promise.resolve({
        find: () => Promise.resolve(((asked += 1), found)),
        save: (latest) => {
          const { runs, ...rest } = latest()
          saved.push({ at: clock.elapsed, journal: { ...rest, runs: new Map(runs) } })
          return Promise.resolve()
        },
        close: () => Promise.resolve(void (closed += 1)),
      }),
  })
  const moments = () => saved.map(({ at }) => at / second)
  const last = () => saved.at(-1)?.journal
  const close = () => journal[Symbol.asyncDispose]()
  const counts = () => ({ asked, closed, prepared })
  return { journal, clock, saved, moments, last, close, counts }
}

function leaving(runs: [Seed, JournalRun][], more: Partial<Journal> = {}): FoundJournal {
  const named = new Map(runs.map(([seed, run]) => [nameOf(seed), run]))
  const journal = { attempt: 1, closed: true, complete: false, runs: named, ...more }
  return { kind: 'found', journal }
}

const record = (conclusion: RunRecord['conclusion'], executionId?: string): RunRecord => ({
  index: 0,
  label: undefined,
  executionId,
  conclusion,
  attempts: [],
  resumed: false,
  startedAt: 0,
  endedAt: 0,
  cause: undefined,
  stopReason: undefined,
  leftResult: undefined,
  resultFile: undefined,
  logFile: undefined,
  failsStep: false,
})
const running = (executionId: string): JournalRun => ({ state: 'running', executionId })
const success = (executionId: string): JournalRun => ({ state: 'success', executionId })
const allSucceeded = { conclusion: 'success', failing: 0 } as const

describe('a journal is saved', () => {
  it('20 s after the first start, with all that was started by then', async () => {
    const { journal, clock, moments, last, counts } = open()
    await clock.advance(minute)
    journal.started(one, 'e1')
    await clock.advance(19 * second)
    journal.started(two, 'e2')
    journal.ended(one, record('success', 'e1'))
    await clock.advance(999)
    expect(moments()).toEqual([])
    await clock.advance(1)
    expect(moments()).toEqual([80])
    expect(last()).toEqual({
      attempt: 1,
      closed: false,
      complete: false,
      runs: new Map([
        ['0-0', success('e1')],
        ['1-0', running('e2')],
      ]),
    })
    expect(counts()).toEqual({ asked: 0, closed: 0, prepared: 1 })
  })

  it('then when changed, in pauses that double from 30 s to 5 min', async () => {
    const { journal, clock, moments } = open()
    for (let at = 0; at < 1200; at += 1) {
      journal.started(one, `e${at}`)
      await clock.advance(second)
    }
    expect(moments()).toEqual([20, 50, 110, 230, 470, 770, 1070])
  })

  it('at once when it changes after the pause, and not while nothing changes', async () => {
    const { journal, clock, moments } = open()
    journal.started(one, 'e1')
    await clock.advance(10 * minute)
    expect(moments()).toEqual([20])
    expect(clock.sleeping).toBe(0)
    journal.started(one, 'e1')
    journal.ended(one, record('timed-out', 'e1'))
    await clock.advance(minute)
    expect(moments()).toEqual([20])
    journal.ended(one, record('error', 'e1'))
    await turn()
    expect(moments()).toEqual([20, 660])
  })

  it('at the step’s end, and then it is closed', async () => {
    const { journal, clock, moments, last, close, counts } = open()
    journal.started(one, 'e1')
    await clock.advance(5 * second)
    journal.ended(one, record('error', 'e1'))
    journal.told({ conclusion: 'failure', failing: 1 })
    await close()
    expect(moments()).toEqual([5])
    expect(last()).toMatchObject({ closed: true, complete: false })
    expect([clock.sleeping, counts().closed]).toEqual([0, 1])
  })

  it('never, where nothing was started; the step is counted all the same', async () => {
    const { journal, saved, close, counts } = open()
    journal.ended(one, record('not-started'))
    await close()
    expect([saved, counts()]).toEqual([[], { asked: 0, closed: 1, prepared: 0 }])
  })
})

describe('a batch whose runs all succeeded', () => {
  const finish = async ({ journal, close }: ReturnType<typeof open>, failing = 0) => {
    journal.started(one, 'e1')
    journal.ended(one, record('success', 'e1'))
    journal.told({ ...allSucceeded, failing })
    await close()
  }

  it('leaves nothing when it was short', async () => {
    const opened = open()
    await finish(opened)
    expect(opened.saved).toEqual([])
  })

  it('is marked complete where a journal was saved before', async () => {
    const opened = open()
    opened.journal.started(two, 'e2')
    await opened.clock.advance(20 * second)
    opened.journal.ended(two, record('success', 'e2'))
    await finish(opened)
    expect(opened.saved.map(({ journal }) => journal.complete)).toEqual([false, true])
  })

  it('is marked complete with on-rerun: reuse, however short it was', async () => {
    const opened = open({ onRerun: 'reuse' })
    await finish(opened)
    expect(opened.last()).toMatchObject({ complete: true, closed: true })
  })

  it('is not complete where a result is missing, or nobody was told', async () => {
    const missing = open()
    await finish(missing, 1)
    expect(missing.last()).toMatchObject({ complete: false, closed: true })
    const untold = open()
    untold.journal.started(one, 'e1')
    untold.journal.ended(one, record('success', 'e1'))
    await untold.close()
    expect(untold.last()).toMatchObject({ complete: false, closed: true })
  })
})

describe('an attempt above the first', () => {
  const left = leaving([
    [one, success('e1')],
    [two, running('e2')],
    [three, { state: 'error', executionId: 'e3' }],
  ])

  it('keeps what succeeded, takes over what runs, and starts the rest', async () => {
    const { journal } = open({ attempt: 2, found: left })
    expect(await journal.recall()).toEqual({
      kind: 'found',
      attempt: 1,
      succeeded: 1,
      running: 1,
      failed: 1,
      unclear: 0,
      others: 1,
      total: 4,
      isClosed: true,
    })
    expect(seeds.map((seed) => journal.recorded(seed))).toEqual([
      { kind: 'ended', executionId: 'e1', conclusion: 'success' },
      { kind: 'started', executionId: 'e2' },
      { kind: 'ended', executionId: 'e3', conclusion: 'error' },
      { kind: 'none' },
    ])
  })

  it.each([
    { retries: 0, others: 2, why: 'what failed may have been started anew' },
    { retries: 1, others: 3, why: 'what ran may have failed, and been started again' },
  ])('after a journal that was not closed, $why', async ({ retries, others }) => {
    const runs = [
      [one, success('e1')],
      [two, running('e2')],
      [three, { state: 'error', executionId: 'e3' }],
    ] satisfies [Seed, JournalRun][]
    const { journal } = open({ attempt: 2, retries, found: leaving(runs, { closed: false }) })

    expect(await journal.recall()).toMatchObject({ running: 1, failed: 1, others })
  })

  it('goes by what was left, whatever has happened to a seed since', async () => {
    const { journal } = open({ attempt: 2, found: left })
    await journal.recall()
    journal.started(two, 'e2')
    journal.ended(two, record('error', 'e2'))
    journal.started(four, 'e4')
    expect(journal.recorded(two)).toEqual({ kind: 'started', executionId: 'e2' })
    expect(journal.recorded(four)).toEqual({ kind: 'none' })
  })

  it('starts anew where a start got no clear answer, and what it does not know', async () => {
    const found = leaving([[one, { state: 'unknown' }]])
    const { journal } = open({ attempt: 2, found })
    expect(await journal.recall()).toMatchObject({ unclear: 1, failed: 0, others: 3 })
    expect(seeds.map((seed) => journal.recorded(seed).kind)).toEqual([
      'start-unknown',
      'none',
      'none',
      'none',
    ])
  })

  it('hands on what it knows itself and what it was left', async () => {
    const { journal, last, close } = open({ attempt: 2, found: left })
    await journal.recall()
    journal.started(three, 'e7')
    journal.ended(three, record('unknown'))
    await close()
    expect([...(last()?.runs.values() ?? [])]).toEqual([
      success('e1'),
      running('e2'),
      { state: 'unknown' },
    ])
    expect(last()).toMatchObject({ attempt: 2, closed: true })
  })

  it('forgets no earlier start for one that was refused', async () => {
    const found = leaving([[one, { state: 'unknown' }]], { closed: false })
    const { journal, last, close } = open({ attempt: 2, found })
    await journal.recall()
    journal.started(two, 'e2')
    for (const seed of [one, three, four]) journal.ended(seed, record('refused'))
    await close()
    // Of 3 and 4 the journal that was found did not know whether they had been started.
    expect(last()).toMatchObject({ closed: false })
    expect([...(last()?.runs.values() ?? [])]).toEqual([{ state: 'unknown' }, running('e2')])
  })

  it('saves at the first start: a closed journal must not stay the newest', async () => {
    const { journal, moments, last } = open({ attempt: 2, found: left })
    await journal.recall()
    journal.started(four, 'e4')
    await turn()
    expect(moments()).toEqual([0])
    expect(last()).toMatchObject({ closed: false })
  })

  it('saves nothing where nothing has changed', async () => {
    const { journal, clock, saved, close } = open({ attempt: 2, found: left })
    await journal.recall()
    journal.started(one, 'e1')
    journal.ended(one, record('success', 'e1'))
    journal.started(two, 'e2')
    journal.ended(two, record('cancelled', 'e2'))
    await clock.advance(minute)
    await close()
    expect(saved).toEqual([])
  })

  it('waits 20 s like a first one where no journal was left', async () => {
    const { journal, clock, moments } = open({ attempt: 2 })
    expect(await journal.recall()).toEqual({ kind: 'nothing' })
    journal.started(one, 'e1')
    await clock.advance(minute)
    expect(moments()).toEqual([20])
  })

  it('starts all anew after a complete one, and does not leave that the newest', async () => {
    const found = leaving([[one, success('e1')]], { complete: true })
    const { journal, last, close } = open({ attempt: 2, found })
    expect(await journal.recall()).toEqual({ kind: 'complete', attempt: 1 })
    expect(journal.recorded(one)).toEqual({ kind: 'none' })
    journal.started(one, 'e9')
    journal.ended(one, record('success', 'e9'))
    journal.told(allSucceeded)
    await close()
    expect(last()).toMatchObject({
      attempt: 2,
      complete: true,
      runs: new Map([['0-0', success('e9')]]),
    })
  })

  it('keeps a complete one with on-rerun: reuse, and leaves it as it is', async () => {
    const found = leaving([[one, success('e1')]], { complete: true })
    const { journal, saved, close } = open({ attempt: 2, onRerun: 'reuse', found })
    expect(await journal.recall()).toMatchObject({ kind: 'found', succeeded: 1 })
    expect(journal.recorded(one)).toMatchObject({ kind: 'reported', executionId: 'e1' })
    journal.started(one, 'e1')
    journal.ended(one, record('success', 'e1'))
    journal.told(allSucceeded)
    await close()
    expect(saved).toEqual([])
  })

  it('never asks with on-rerun: start, and saves from its first start on', async () => {
    const { journal, moments, counts } = open({ attempt: 2, onRerun: 'start', found: left })
    expect(await journal.recall()).toEqual({ kind: 'not-asked' })
    expect(journal.recorded(one)).toEqual({ kind: 'none' })
    journal.started(one, 'e9')
    await turn()
    expect([moments(), counts().asked]).toEqual([[0], 0])
  })

  it('that cannot read the journal starts all, and says so', async () => {
    const found: FoundJournal = { kind: 'unreadable', why: 'it hangs' }
    const { journal } = open({ attempt: 2, found })
    expect(await journal.recall()).toEqual(found)
    expect(journal.recorded(one)).toEqual({ kind: 'none' })
  })
})

describe('what an attempt that died had started without saving it', () => {
  const gaps: [string, FoundJournal][] = [
    ['after a journal that was not closed', leaving([[one, running('e1')]], { closed: false })],
    ['after one that could not be read', { kind: 'unreadable', why: 'it hangs' }],
  ]

  it.each(gaps)('is in doubt for seeds that are still not known: %s', async (_, found) => {
    const { journal, last, close } = open({ attempt: 2, found })
    await journal.recall()
    journal.started(two, 'e2')
    await close()
    expect(last()).toMatchObject({ attempt: 2, closed: false })
  })

  it.each(gaps)('is of no account once all are known: %s', async (_, found) => {
    const { journal, last, close } = open({ attempt: 2, found })
    await journal.recall()
    for (const seed of seeds) journal.started(seed, `new-${seed.index}`)
    await close()
    expect(last()).toMatchObject({ attempt: 2, closed: true })
  })
})

it('a batch that was cut off at its half and runs again starts each seed once', async () => {
  const courses: Course[] = Array.from({ length: 10 }, () => ({}))
  const all = courses.map((_, index) => ({ ...one, index, key: String(index) }))
  let left: Journal | undefined
  const journalOf = (attempt: number) =>
    new BatchJournal({
      seeds: all,
      attempt,
      onRerun: 'resume',
      retries: 0,
      clock: new SimulatedClock(),
      prepare: () => undefined,
      openStore: () =>
        Promise.resolve({
          find: () =>
            Promise.resolve(left ? { kind: 'found', journal: left } : { kind: 'nothing' }),
          save: (latest) => Promise.resolve(void (left = latest())),
          close: () => Promise.resolve(),
        }),
    })
  const attempt = async (number: number, cancelAt?: number, before: string[] = []) => {
    await using journal = journalOf(number)
    await journal.recall()
    return await runBatch(courses, {
      ...(cancelAt === undefined ? {} : { cancelAt }),
      recorded: (seed) => journal.recorded(seed),
      listener: {
        onStarted: (seed, id) => journal.started(seed, id),
        onEnded: (seed, record) => journal.ended(seed, record),
      },
      prepare: (service) => before.forEach((id) => service.has(id, { takes: 0 })),
    })
  }
  const first = await attempt(1, 90 * second)
  const ids = first.records.flatMap(({ executionId }) => executionId ?? [])
  const again = await attempt(2, undefined, ids)

  expect(first).toMatchObject({ conclusion: 'cancelled', counts: { succeeded: 5, unfinished: 5 } })
  expect(again).toMatchObject({ conclusion: 'success', resumed: 10 })
  expect(first.service.starts.length + again.service.starts.length).toBe(10)
})
