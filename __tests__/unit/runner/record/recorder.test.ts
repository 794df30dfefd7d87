import { describe, expect, it } from '@jest/globals'
import type { KnownRun } from '../../../../src/execution/begin.ts'
import type { Outcome } from '../../../../src/execution/conclusion.ts'
import type { OnRerun } from '../../../../src/runner/inputs/read.ts'
import { onlyRun, type RecordedRun, type StepRecord } from '../../../../src/runner/record/format.ts'
import type { RecordedEnd } from '../../../../src/runner/record/recorded-run.ts'
import { Recorder } from '../../../../src/runner/record/recorder.ts'
import type { EarlierRecord } from '../../../../src/runner/record/store.ts'
import { neverAborts, SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'

const second = 1_000
const minute = 60 * second
/** Resolves when all pending promise callbacks have run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
const many = ['one', 'two', 'three', 'four']

interface Given {
  attempt?: number
  onRerun?: OnRerun
  names?: readonly string[]
  found?: EarlierRecord
}

/** A step's recorder, and the records that it has saved. */
function open({
  attempt = 1,
  onRerun = 'resume',
  names = [onlyRun],
  found = { kind: 'none' },
}: Given = {}) {
  const clock = new SimulatedClock({ maxJump: 0 })
  const saved: StepRecord[] = []
  const counts = { prepared: 0 }
  const recorder = new Recorder({
    attempt,
    onRerun,
    carrier: names.includes(onlyRun) ? 'run' : 'batch',
    clock,
    prepare: () => void (counts.prepared += 1),
    store: {
      find: () => Promise.resolve(found),
      save: (record) => {
        saved.push(record)
        return Promise.resolve({ isSaved: true })
      },
    },
  })
  const last = () => saved.at(-1)
  const close = async () => {
    const closed = recorder.close().then(() => clock.elapsed)
    for (let seconds = 0; seconds < 4; seconds += 1) {
      await turn()
      await clock.advance(second)
    }
    return closed
  }
  return { recorder, clock, saved, last, close, counts }
}

const started = (executionId: string, attempt = 1) => {
  return { kind: 'started', attempt, executionId } as const
}
const end = (conclusion: RecordedEnd['conclusion'], executionId?: string): RecordedEnd => {
  return { conclusion, executionId }
}
const ended = (conclusion: Outcome, executionId: string): RecordedRun => {
  return { kind: 'ended', attempt: 1, executionId, conclusion }
}
const known = (executionId: string, outcome: Outcome | undefined): KnownRun => {
  return { kind: 'known', attempt: 1, executionId, outcome, isReported: false }
}

function records(runs: Record<string, RecordedRun>, more: Partial<StepRecord> = {}): EarlierRecord {
  const record = { attempt: 1, isClosed: true, isReported: false, ...more }
  return { kind: 'found', record: { ...record, runs: new Map(Object.entries(runs)) } }
}

it('loads the storage clients when something is started, and not before', async () => {
  const { recorder, counts, close } = open()
  recorder.ended(onlyRun, end('not-started'))
  await turn()
  expect(counts.prepared).toBe(0)
  recorder.started(onlyRun, 'e1')
  expect(counts.prepared).toBe(1)
  await close()
})

it('a success stays one when the check of its result is cancelled', async () => {
  const { recorder, last, close } = open()
  recorder.started(onlyRun, 'e1')
  recorder.ended(onlyRun, end('success', 'e1'))
  recorder.ended(onlyRun, end('cancelled', 'e1'))
  await close()
  expect(last()?.runs.get(onlyRun)).toEqual(ended('success', 'e1'))
})

describe('a start without a clear answer', () => {
  it('stays in the record, even if a later start is refused', async () => {
    const { recorder, last, close } = open()
    recorder.ended(onlyRun, end('unknown'))
    recorder.ended(onlyRun, end('refused'))
    await close()
    expect(last()?.runs.get(onlyRun)).toEqual({ kind: 'start-unknown', attempt: 1 })
  })

  it('is not assumed if the step was cancelled before it was sent', async () => {
    const { recorder, last, close } = open()
    recorder.started(onlyRun, 'e1')
    recorder.ended(onlyRun, end('cancelled'))
    await close()
    expect(last()?.runs.get(onlyRun)).toEqual(started('e1'))
  })
})

describe('a later attempt', () => {
  const earlier = records({
    one: ended('success', 'e1'),
    two: started('e2'),
    three: ended('error', 'e3'),
  })

  it('reads the record, but a first attempt or one with on-rerun: start does not', async () => {
    for (const given of [{ attempt: 1 }, { attempt: 2, onRerun: 'start' as const }]) {
      const { recorder } = open({ ...given, found: earlier, names: many })
      expect([recorder.rerunMode, recorder.earlier('one')]).toEqual([undefined, { kind: 'none' }])
    }
    const { recorder } = open({ attempt: 2, found: earlier, names: many })
    expect([recorder.rerunMode, await recorder.read()]).toEqual(['resume', earlier])
    expect(many.map((name) => recorder.earlier(name))).toEqual([
      known('e1', 'success'),
      known('e2', undefined),
      known('e3', 'error'),
      { kind: 'none' },
    ])
  })

  it('reads that a start got no clear answer', async () => {
    const found = records({ one: { kind: 'start-unknown', attempt: 1 } })
    const { recorder } = open({ attempt: 2, found })
    await recorder.read()
    expect(recorder.earlier('one')).toEqual({ kind: 'unclear', attempt: 1 })
  })

  it('uses the earlier record, whatever has happened to a run since', async () => {
    const { recorder } = open({ attempt: 2, found: earlier, names: many })
    await recorder.read()
    recorder.started('two', 'e2')
    recorder.ended('two', end('error', 'e2'))
    recorder.started('four', 'e4')
    expect(recorder.earlier('two')).toEqual(known('e2', undefined))
    expect(recorder.earlier('four')).toEqual({ kind: 'none' })
  })

  it('saves the earlier runs again, each with the attempt that started it', async () => {
    const { recorder, last, close } = open({ attempt: 2, found: earlier, names: many })
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

  it('closes a batch record that was still open, even if it starts no run', async () => {
    const found = records({ one: started('e1') }, { isClosed: false })
    const { recorder, close, last } = open({ names: ['one'], attempt: 2, found })
    await recorder.read()
    recorder.ended('one', end('timed-out', 'e1'))
    await close()
    expect(last()?.isClosed).toBe(true)
  })

  it('saves that an end is reported, even if no run has changed', async () => {
    const found = records({ one: ended('success', 'e1') })
    const { recorder, last } = open({ names: ['one'], attempt: 2, found })
    await recorder.read()
    recorder.ended('one', end('success', 'e1'))
    await recorder.reported(neverAborts)
    expect(last()?.isReported).toBe(true)
  })

  it('saves nothing if nothing has changed', async () => {
    const { recorder, clock, saved, close } = open({ attempt: 2, found: earlier, names: many })
    await recorder.read()
    recorder.started('one', 'e1')
    recorder.ended('one', end('success', 'e1'))
    recorder.ended('two', end('cancelled', 'e2'))
    await clock.advance(minute)
    await close()
    expect(saved).toEqual([])
  })

  it.each(['timed-out', 'cancelled', 'unknown'] as const)(
    'keeps the known end of a run if it learns nothing newer (%s)',
    async (conclusion) => {
      const known: RecordedRun = {
        kind: 'ended',
        attempt: 1,
        executionId: 'e1',
        conclusion: 'success',
      }
      const found = records({ one: known, two: started('e2') })
      const { recorder, last, close } = open({ attempt: 2, found, names: many })
      await recorder.read()
      recorder.started('one', 'e1')
      recorder.ended('one', end(conclusion, 'e1'))
      recorder.ended('two', end('success', 'e2'))
      await close()
      expect(last()?.runs.get('one')).toEqual(known)
    },
  )

  it('keeps a run that may still be running, even if its seed is not in the list', async () => {
    const found = records({ one: ended('success', 'e1'), two: started('e2') }, { isReported: true })
    const { recorder, last } = open({ attempt: 2, found, names: ['one'] })
    await recorder.read()
    expect(recorder.earlier('two')).toEqual(known('e2', undefined))
    recorder.started('one', 'e3')
    recorder.ended('one', end('success', 'e3'))
    await recorder.reported(neverAborts)
    expect(last()).toMatchObject({ isReported: true })
    expect(last()?.runs.get('two')).toEqual(started('e2'))
  })

  it.each([
    ['published again', end('success', 'e1'), true],
    ['could not publish', end('timed-out', 'e1'), false],
  ])('keeps the record of a reported run that `reuse` %s', async (_, ending, isReported) => {
    const found = records({ [onlyRun]: ended('success', 'e1') }, { isReported: true })
    const { recorder, saved, close } = open({ attempt: 2, onRerun: 'reuse', found })
    await recorder.read()
    recorder.ended(onlyRun, ending)
    if (isReported) await recorder.reported(neverAborts)
    await close()
    expect([saved, recorder.isOnRecord]).toEqual([[], true])
  })

  it('treats a reported run as reported, and begins a new record', async () => {
    const found = records({ one: ended('success', 'e1') }, { isReported: true })
    const { recorder, last, close } = open({ attempt: 2, found, names: many })
    await recorder.read()
    expect(recorder.earlier('one')).toEqual({ ...known('e1', 'success'), isReported: true })
    recorder.started('two', 'e9')
    await close()
    expect(last()?.runs).toEqual(new Map([['two', started('e9', 2)]]))
  })

  it('cannot use a record of its own attempt, because an identical step saved it', async () => {
    const { recorder } = open({
      attempt: 2,
      found: records({ [onlyRun]: started('e1', 2) }, { attempt: 2 }),
    })
    expect(await recorder.read()).toMatchObject({ kind: 'unreadable' })
    expect(recorder.earlier(onlyRun)).toMatchObject({ kind: 'unreadable' })
  })
})

it('is closed only after its last save, for each part of the step that closes it', async () => {
  const { recorder } = open()
  recorder.started(onlyRun, 'e1')
  void recorder.close()
  await recorder.close()
  expect(recorder.isOnRecord).toBe(true)
})

it('a save is made even if it becomes due while another save is ending', async () => {
  for (let turns = 0; turns < 30; turns += 1) {
    const { recorder, last, close } = open({ attempt: 2, found: records({}) })
    recorder.started(onlyRun, 'e-a')
    for (let each = 0; each < turns; each += 1) await Promise.resolve()
    recorder.started(onlyRun, 'e-b')
    await close()
    expect(last()?.runs.get(onlyRun)).toEqual(started('e-b', 2))
  }
})
