import { describe, expect, it } from '@jest/globals'
import type { OnRerun } from '../../../../src/runner/inputs/again.ts'
import { type KeptRun, onlyRun, type StepRecord } from '../../../../src/runner/record/format.ts'
import type { RunEnd } from '../../../../src/runner/record/record-state.ts'
import { Recorder } from '../../../../src/runner/record/recorder.ts'
import type { EarlierRecord } from '../../../../src/runner/record/store.ts'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'

const second = 1_000
const minute = 60 * second
/** What is to be done at once is done. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
const many = ['one', 'two', 'three', 'four']

interface Given {
  attempt?: number
  onRerun?: OnRerun
  names?: readonly string[]
  found?: EarlierRecord
  save?: (id: string, signal: AbortSignal) => Promise<boolean>
}

/** A step's recorder; `saved` has the moment and the content of each save. */
function open({
  attempt = 1,
  onRerun = 'resume',
  names = [onlyRun],
  found = { kind: 'none' },
  save = () => Promise.resolve(true),
}: Given = {}) {
  const clock = new SimulatedClock({ maxJump: 0 })
  const saved: { at: number; record: StepRecord }[] = []
  const counts = { prepared: 0 }
  const recorder = new Recorder({
    attempt,
    onRerun,
    carrier: names.includes(onlyRun) ? 'run' : 'batch',
    clock,
    prepare: () => void (counts.prepared += 1),
    store: {
      find: () => Promise.resolve(found),
      save: (record, signal) => {
        saved.push({ at: clock.elapsed, record })
        const run = record.runs.get(names[0] ?? '')
        const id = run && 'executionId' in run ? run.executionId : ''
        return save(id, signal).then((isSaved) => ({ isSaved }))
      },
    },
  })
  const moments = () => saved.map(({ at }) => at / second)
  const last = () => saved.at(-1)?.record
  const close = async () => {
    const closed = recorder.close().then(() => clock.elapsed)
    for (let seconds = 0; seconds < 4; seconds += 1) {
      await turn()
      await clock.advance(second)
    }
    return closed
  }
  return { recorder, clock, saved, moments, last, close, counts }
}

const started = (executionId: string, attempt = 1) => {
  return { kind: 'started', attempt, executionId } as const
}
const end = (conclusion: RunEnd['conclusion'], executionId?: string): RunEnd => {
  return { conclusion, executionId }
}
const ended = (
  conclusion: Extract<KeptRun, { kind: 'ended' }>['conclusion'],
  executionId: string,
): KeptRun => ({ kind: 'ended', attempt: 1, executionId, conclusion })

function leaving(runs: Record<string, KeptRun>, more: Partial<StepRecord> = {}): EarlierRecord {
  const record = { attempt: 1, isClosed: true, isReported: false, ...more }
  return { kind: 'found', record: { ...record, runs: new Map(Object.entries(runs)) } }
}

describe('a record is saved', () => {
  it('20 s after the first start, with all that is known by then', async () => {
    const { recorder, clock, moments, last, counts } = open({ names: many })
    await clock.advance(minute)
    recorder.started('one', 'e1')
    await clock.advance(19 * second)
    recorder.started('two', 'e2')
    recorder.ended('one', end('success', 'e1'))
    await clock.advance(999)
    expect([moments(), recorder.isOnRecord]).toEqual([[], false])
    await clock.advance(1)
    expect([moments(), recorder.isOnRecord]).toEqual([[80], true])
    expect(last()).toMatchObject({ attempt: 1, isClosed: false, isReported: false })
    expect(last()?.runs).toEqual(
      new Map([
        ['one', ended('success', 'e1')],
        ['two', started('e2')],
      ]),
    )
    expect(counts.prepared).toBeGreaterThan(0)
  })

  it('then when changed, in pauses that double from 30 s to 5 min', async () => {
    const { recorder, clock, moments } = open({ names: many })
    for (let at = 0; at < 1200; at += 1) {
      recorder.started('one', `e${at}`)
      await clock.advance(second)
    }
    expect(moments()).toEqual([20, 50, 110, 230, 470, 770, 1070])
  })

  it('not while nothing changes', async () => {
    const { recorder, clock, moments } = open({ names: many })
    recorder.started('one', 'e1')
    await clock.advance(10 * minute)
    recorder.started('one', 'e1')
    recorder.ended('one', end('timed-out', 'e1'))
    await clock.advance(10 * minute)
    expect([moments(), clock.sleeping]).toEqual([[20], 0])
  })

  it('at once where a retry follows the execution that the newest one knows', async () => {
    const { recorder, clock, moments, last } = open()
    recorder.started(onlyRun, 'e1')
    await clock.advance(25 * second)
    recorder.ended(onlyRun, end('container-error', 'e1'))
    recorder.started(onlyRun, 'e2')
    await turn()
    expect(moments()).toEqual([20, 25])
    expect(last()?.runs.get(onlyRun)).toEqual(started('e2'))
  })

  it('at once when it is asked for, as `start` does', async () => {
    const { recorder, moments } = open()
    recorder.started(onlyRun, 'e1')
    recorder.save()
    await turn()
    expect(moments()).toEqual([0])
  })

  it('at the step’s end where an end was not reported, and then it is closed', async () => {
    const { recorder, clock, moments, last, close } = open({ names: many })
    recorder.started('one', 'e1')
    await clock.advance(5 * second)
    recorder.ended('one', end('error', 'e1'))
    await close()
    expect(moments()).toEqual([5])
    expect(last()).toMatchObject({ isClosed: true, isReported: false })
    expect(clock.sleeping).toBe(0)
  })

  it('at the step’s end of a batch, though nothing has changed since: what it lacks was not started', async () => {
    const { recorder, clock, close, last } = open({ names: many.slice(0, 1) })
    recorder.started('one', 'e1')
    recorder.ended('one', end('error', 'e1'))
    await clock.advance(20 * second)
    expect(last()?.isClosed).toBe(false)
    await close()
    expect(last()?.isClosed).toBe(true)
  })

  it('at the step’s end where an older record was left open, and all it knows is followed', async () => {
    const left = leaving({ one: started('e1') }, { isClosed: false })
    const { recorder, close, last } = open({ names: ['one'], attempt: 2, found: left })
    await recorder.read()
    recorder.ended('one', end('timed-out', 'e1'))
    await close()
    expect(last()?.isClosed).toBe(true)
  })

  it('at the step’s end where runs were never started, though nothing has changed since', async () => {
    const { recorder, clock, moments, last, close } = open({ names: many })
    recorder.started('one', 'e1')
    await clock.advance(25 * second)
    await close()
    expect([moments(), last()?.isClosed]).toEqual([[20, 25], true])
  })

  it('at the step’s end with `reuse`, where there is a success to keep', async () => {
    for (const conclusion of ['success', 'error'] as const) {
      const { recorder, saved, close } = open({ onRerun: 'reuse' })
      recorder.started(onlyRun, 'e1')
      recorder.ended(onlyRun, end(conclusion, 'e1'))
      recorder.reported()
      await close()
      expect(saved).toHaveLength(conclusion === 'success' ? 1 : 0)
    }
  })

  it.each([
    ['as reported, where an older one is in the cache', 20 * second, [false, true]],
    ['never, where one short run’s end was reported', 19 * second, []],
  ])('%s', async (_, endsAfter, reported) => {
    const { recorder, clock, saved, close } = open()
    recorder.started(onlyRun, 'e1')
    await clock.advance(endsAfter)
    recorder.ended(onlyRun, end('error', 'e1'))
    recorder.reported()
    await close()
    expect(saved.map(({ record }) => record.isReported)).toEqual(reported)
    expect(clock.sleeping).toBe(0)
  })

  it.each([
    ['never in a first attempt with `start`: nobody reads it', 1, [[], 0]],
    ['with `start` in a later attempt: an older record must not stay the newest', 2, [[0], 1]],
  ])('%s', async (_, attempt, expected) => {
    const { recorder, moments, counts, close } = open({ attempt, onRerun: 'start' })
    recorder.started(onlyRun, 'e1')
    await turn()
    recorder.ended(onlyRun, end('error', 'e1'))
    await close()
    expect([moments(), Math.min(counts.prepared, 1)]).toEqual(expected)
  })

  it('never, where nothing was started', async () => {
    const { recorder, saved, close, counts } = open()
    recorder.ended(onlyRun, end('not-started'))
    await close()
    expect([saved, counts]).toEqual([[], { prepared: 0 }])
  })
})

it('a success stays one when the check of its result is cancelled', async () => {
  const { recorder, last, close } = open()
  recorder.started(onlyRun, 'e1')
  recorder.ended(onlyRun, { ...end('success', 'e1'), leftResult: true })
  recorder.ended(onlyRun, end('cancelled', 'e1'))
  await close()
  expect(last()?.runs.get(onlyRun)).toEqual({ ...ended('success', 'e1'), leftResult: true })
})

describe('a start without a clear answer', () => {
  it('is kept as such, and forgotten by no later start that was refused', async () => {
    const { recorder, last, close } = open()
    recorder.ended(onlyRun, end('unknown'))
    recorder.ended(onlyRun, end('refused'))
    await close()
    expect(last()?.runs.get(onlyRun)).toEqual({ kind: 'start-unknown', attempt: 1 })
  })
})

describe('an attempt above the first', () => {
  const left = leaving({
    one: ended('success', 'e1'),
    two: started('e2'),
    three: ended('error', 'e3'),
  })

  it('is to ask the record before anything is started, and no other attempt is', async () => {
    for (const given of [{ attempt: 1 }, { attempt: 2, onRerun: 'start' as const }]) {
      const { recorder } = open({ ...given, found: left, names: many })
      expect([recorder.rerunMode, recorder.earlier('one')]).toEqual([undefined, { kind: 'none' }])
    }
    const { recorder } = open({ attempt: 2, found: left, names: many })
    expect([recorder.rerunMode, await recorder.read()]).toEqual(['resume', left])
    expect(many.map((name) => recorder.earlier(name))).toEqual([
      ended('success', 'e1'),
      started('e2'),
      ended('error', 'e3'),
      { kind: 'none' },
    ])
  })

  it('goes by what was left, whatever has happened to a run since', async () => {
    const { recorder } = open({ attempt: 2, found: left, names: many })
    await recorder.read()
    recorder.started('two', 'e2')
    recorder.ended('two', end('error', 'e2'))
    recorder.started('four', 'e4')
    expect(recorder.earlier('two')).toEqual(started('e2'))
    expect(recorder.earlier('four')).toEqual({ kind: 'none' })
  })

  it('hands on what it was left, each with the attempt that started it', async () => {
    const { recorder, last, close } = open({ attempt: 2, found: left, names: many })
    await recorder.read()
    recorder.ended('two', end('success', 'e2'))
    recorder.started('three', 'e7')
    await close()
    expect(last()).toMatchObject({ attempt: 2, isClosed: true })
    expect([...(last()?.runs.values() ?? [])]).toEqual([
      ended('success', 'e1'),
      ended('success', 'e2'),
      started('e7', 2),
    ])
  })

  it('saves at its first start: what was left must not stay the newest', async () => {
    const { recorder, moments, last } = open({ attempt: 2, found: left, names: many })
    await recorder.read()
    recorder.started('four', 'e4')
    await turn()
    expect([moments(), last()?.isClosed]).toEqual([[0], false])
  })

  it('waits 20 s like a first one where nothing was left', async () => {
    const { recorder, clock, moments } = open({ attempt: 2 })
    await recorder.read()
    recorder.started(onlyRun, 'e1')
    await clock.advance(minute)
    expect(moments()).toEqual([20])
  })

  it('saves nothing where nothing has changed', async () => {
    const { recorder, clock, saved, close } = open({ attempt: 2, found: left, names: many })
    await recorder.read()
    recorder.started('one', 'e1')
    recorder.ended('one', end('success', 'e1'))
    recorder.ended('two', end('cancelled', 'e2'))
    await clock.advance(minute)
    await close()
    expect(saved).toEqual([])
  })

  it.each(['timed-out', 'cancelled', 'unknown'] as const)(
    'keeps what is known of a run’s end where it learned nothing newer (%s)',
    async (conclusion) => {
      const known: KeptRun = {
        kind: 'ended',
        attempt: 1,
        executionId: 'e1',
        conclusion: 'success',
        leftResult: true,
      }
      const found = leaving({ one: known, two: started('e2') })
      const { recorder, last, close } = open({ attempt: 2, found, names: many })
      await recorder.read()
      recorder.started('one', 'e1')
      recorder.ended('one', end(conclusion, 'e1'))
      recorder.ended('two', end('success', 'e2'))
      await close()
      expect(last()?.runs.get('one')).toEqual(known)
    },
  )

  it('does not forget that a run left a result, which may be gone since', async () => {
    const found = leaving({ [onlyRun]: { ...started('e1'), leftResult: true } })
    const { recorder, last, close } = open({ attempt: 2, found })
    await recorder.read()
    recorder.ended(onlyRun, { ...end('success', 'e1'), leftResult: false })
    recorder.reported()
    await close()
    expect(last()?.runs.get(onlyRun)).toMatchObject({ kind: 'ended', leftResult: true })
  })

  it('hands on what goes on beside what was reported, whose list it was not in', async () => {
    const found = leaving({ one: ended('success', 'e1'), two: started('e2') }, { isReported: true })
    const { recorder, last, close } = open({ attempt: 2, found, names: ['one'] })
    await recorder.read()
    recorder.started('one', 'e3')
    recorder.ended('one', end('success', 'e3'))
    recorder.reported()
    await close()
    expect(last()).toMatchObject({ isReported: true })
    expect(last()?.runs.get('two')).toEqual(started('e2'))
  })

  it('leaves as reported what `reuse` hands on again, though it left no result', async () => {
    const found = leaving({ [onlyRun]: ended('success', 'e1') }, { isReported: true })
    const { recorder, saved, close } = open({ attempt: 2, onRerun: 'reuse', found })
    await recorder.read()
    recorder.ended(onlyRun, { ...end('success', 'e1'), leftResult: false })
    recorder.reported()
    await close()
    expect(saved).toEqual([])
  })

  it('leaves as reported what `reuse` could not hand on', async () => {
    const found = leaving({ [onlyRun]: ended('success', 'e1') }, { isReported: true })
    const { recorder, saved, close } = open({ attempt: 2, onRerun: 'reuse', found })
    await recorder.read()
    recorder.ended(onlyRun, end('timed-out', 'e1'))
    await close()
    expect([saved, recorder.isOnRecord]).toEqual([[], true])
  })

  it('takes what was reported for reported, and starts a record of its own', async () => {
    const found = leaving({ one: ended('success', 'e1') }, { isReported: true })
    const { recorder, last, close } = open({ attempt: 2, found, names: many })
    await recorder.read()
    expect(recorder.earlier('one')).toEqual({ ...ended('success', 'e1'), kind: 'reported' })
    recorder.started('two', 'e9')
    await close()
    expect(last()?.runs).toEqual(new Map([['two', started('e9', 2)]]))
  })

  it('keeps what was reported with `reuse`, and leaves it as it is', async () => {
    const found = leaving({ [onlyRun]: ended('success', 'e1') }, { isReported: true })
    const { recorder, saved, close } = open({ attempt: 2, onRerun: 'reuse', found })
    await recorder.read()
    recorder.ended(onlyRun, end('success', 'e1'))
    recorder.reported()
    await close()
    expect(saved).toEqual([])
  })

  it('finds a record of its own attempt unreadable: another step that looks the same left it', async () => {
    const { recorder } = open({
      attempt: 2,
      found: leaving({ [onlyRun]: started('e1', 2) }, { attempt: 2 }),
    })
    expect(await recorder.read()).toMatchObject({ kind: 'unreadable' })
    expect(recorder.earlier(onlyRun)).toMatchObject({ kind: 'unreadable' })
  })
})

describe('saves', () => {
  const hanging = (_: string, signal: AbortSignal) =>
    new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)))
  const idsIn = (saved: { record: StepRecord }[]) =>
    saved
      .flatMap(({ record }) => [...record.runs.values()])
      .map((run) => 'executionId' in run && run.executionId)
  const startAndSave = (recorder: Recorder, id: string) => {
    recorder.started(onlyRun, id)
    recorder.save()
  }

  it('are made one after the other, of those that wait the newest alone', async () => {
    const first = Promise.withResolvers<boolean>()
    const { recorder, saved, close } = open({
      save: (id) => (id === 'e-a' ? first.promise : Promise.resolve(true)),
    })
    for (const id of ['e-a', 'e-b', 'e-c']) {
      startAndSave(recorder, id)
      await turn()
    }
    expect(idsIn(saved)).toEqual(['e-a'])
    first.resolve(true)
    await close()
    expect([idsIn(saved), recorder.isOnRecord]).toEqual([['e-a', 'e-c'], true])
  })

  it('that come at any moment of the end of another are made all the same', async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      const { recorder, saved, close } = open()
      startAndSave(recorder, 'e-a')
      for (let each = 0; each < turns; each += 1) await Promise.resolve()
      startAndSave(recorder, 'e-b')
      await close()
      expect(idsIn(saved).at(-1)).toBe('e-b')
    }
  })

  it('are waited for 3 s in all when the step ends, however many wait and hang', async () => {
    const { recorder, clock, close } = open({ save: hanging })
    for (const id of ['e-a', 'e-b', 'e-c']) {
      startAndSave(recorder, id)
      await turn()
    }
    expect(await close()).toBe(3_000)
    expect([clock.sleeping, recorder.isOnRecord]).toEqual([0, false])
  })

  it('that hang leave the newest a third of that time', async () => {
    const { recorder, close } = open({
      save: (id, signal) => (id === 'e-a' ? hanging(id, signal) : Promise.resolve(true)),
    })
    for (const id of ['e-a', 'e-b']) {
      startAndSave(recorder, id)
      await turn()
    }
    expect(await close()).toBe(2_000)
    expect(recorder.isOnRecord).toBe(true)
  })

  it('that fail are made again when the step ends', async () => {
    const answers = [false, true]
    const { recorder, saved, close } = open({
      save: () => Promise.resolve(answers.shift() ?? true),
    })
    startAndSave(recorder, 'e-a')
    await turn()
    expect(recorder.isOnRecord).toBe(false)
    await close()
    expect([idsIn(saved), recorder.isOnRecord]).toEqual([['e-a', 'e-a'], true])
  })
})
