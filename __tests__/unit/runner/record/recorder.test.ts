import { describe, expect, it } from '@jest/globals'
import type { Outcome } from '../../../../src/execution/conclusion.ts'
import {
  nameOfOnlyRun,
  type RecordedRun,
  type StepRecord,
} from '../../../../src/runner/record/record.ts'
import { Recorder, type RecorderContext } from '../../../../src/runner/record/recorder.ts'
import type { EarlierRecord } from '../../../../src/runner/record/record-store.ts'
import { neverAborts, SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'

interface Given extends Partial<Pick<RecorderContext, 'form' | 'ownAttempt' | 'onRerun'>> {
  found?: EarlierRecord
}

/** A step's recorder, and the records that it has saved. */
function open({ found = { kind: 'none' }, ...given }: Given = {}) {
  const saved: StepRecord[] = []
  const counts = { prepared: 0 }
  const recorder = new Recorder({
    ownAttempt: 1,
    onRerun: 'resume',
    form: 'key',
    ...given,
    clock: new SimulatedClock(),
    cancelled: neverAborts,
    prepare: () => void (counts.prepared += 1),
    store: {
      find: () => Promise.resolve(found),
      save: (record) => {
        saved.push(record)
        return Promise.resolve({ isSaved: true })
      },
    },
  })
  return { recorder, saved, counts }
}

const started = (executionId: string, attempt = 1) =>
  ({ kind: 'known', attempt, executionId }) as const
const ended = (outcome: Outcome, executionId: string) =>
  ({ ...started(executionId), outcome }) as const
function records(runs: Record<string, RecordedRun>, more: Partial<StepRecord> = {}) {
  const record = { savedBy: 1, isFinal: true, isReported: false, ...more }
  return { kind: 'found', record: { ...record, runs: new Map(Object.entries(runs)) } } as const
}

it('loads the storage clients when something is started, and not before', async () => {
  const { recorder, counts } = open()
  recorder.ended(nameOfOnlyRun, { conclusion: 'not-started', executionId: undefined })
  expect(counts.prepared).toBe(0)
  recorder.started(nameOfOnlyRun, 'e1')
  expect(counts.prepared).toBe(1)
  await recorder.close()
})

describe('a later attempt', () => {
  const unclear = { kind: 'unclear', attempt: 1 } as const
  const earlier = { one: ended('success', 'e1'), two: started('e2'), three: unclear }

  it.each([{ ownAttempt: 1 }, { ownAttempt: 2, onRerun: 'start' as const }])(
    'is the only one that reads a record, not %j',
    (given) => {
      const { recorder } = open({ ...given, found: records(earlier) })
      expect([recorder.rerunMode, recorder.earlier('one')]).toEqual([undefined, { kind: 'none' }])
    },
  )

  it.each([false, true])(
    'reads the earlier record, whatever happens to a run since (reported: %s)',
    async (isReported) => {
      const found = records(earlier, { isReported })
      const { recorder } = open({ ownAttempt: 2, found })
      expect([recorder.rerunMode, await recorder.read()]).toEqual(['resume', found])
      recorder.ended('two', { conclusion: 'error', executionId: 'e2' })
      recorder.started('four', 'e4')
      expect(['one', 'two', 'three', 'four'].map((name) => recorder.earlier(name))).toEqual([
        { ...earlier.one, isEndReported: isReported },
        { ...earlier.two, isEndReported: false },
        unclear,
        { kind: 'none' },
      ])
    },
  )

  it('saves the earlier runs again, each with the attempt that started it', async () => {
    const { recorder, saved } = open({ form: 'file', ownAttempt: 2, found: records(earlier) })
    await recorder.read()
    recorder.ended('two', { conclusion: 'success', executionId: 'e2' })
    recorder.started('three', 'e7')
    await recorder.close()
    const now = new SimulatedClock().date().getTime()
    expect(saved.at(-1)).toEqual({
      savedBy: 2,
      isFinal: true,
      isReported: false,
      runs: new Map(
        Object.entries({
          one: earlier.one,
          two: { ...ended('success', 'e2'), endedAt: now },
          three: { ...started('e7', 2), startedAt: now },
        }),
      ),
    })
  })

  it('cannot use a record of its own attempt, because an identical step saved it', async () => {
    const found = records({ [nameOfOnlyRun]: started('e1', 2) }, { savedBy: 2 })
    const { recorder } = open({ ownAttempt: 2, found })
    expect(await recorder.read()).toMatchObject({ kind: 'unreadable' })
    expect(recorder.earlier(nameOfOnlyRun)).toMatchObject({ kind: 'unreadable' })
  })
})

it('is closed only after its last save, for each part of the step that closes it', async () => {
  const { recorder } = open()
  recorder.started(nameOfOnlyRun, 'e1')
  void recorder.close()
  await recorder.close()
  expect(recorder.isOnRecord).toBe(true)
})

it('a save is made even if it becomes due while another save is ending', async () => {
  for (let turns = 0; turns < 30; turns += 1) {
    const { recorder, saved } = open({ ownAttempt: 2, found: records({}) })
    recorder.started(nameOfOnlyRun, 'e-a')
    for (let each = 0; each < turns; each += 1) await Promise.resolve()
    recorder.started(nameOfOnlyRun, 'e-b')
    await recorder.close()
    expect(saved.at(-1)?.runs.get(nameOfOnlyRun)).toMatchObject(started('e-b', 2))
  }
})
