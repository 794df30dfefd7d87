/** Tests the rules for saving a record, in one table: events, and the saves that follow. */
import { expect, it } from '@jest/globals'
import {
  nameOfOnlyRun,
  type RecordedEnd,
  type RecordedRun,
  type StepRecord,
} from '../../../../src/runner/record/record.ts'
import { Recorder, type RecorderContext } from '../../../../src/runner/record/recorder.ts'
import type { EarlierRecord } from '../../../../src/runner/record/record-store.ts'
import { neverAborts, SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'

/** The end of one save: after how many seconds, and whether the save fails. */
interface Answer {
  after: number
  fails?: true
}

interface Given extends Partial<Pick<RecorderContext, 'form' | 'ownAttempt' | 'onRerun'>> {
  /** The record of an earlier attempt. */
  found?: EarlierRecord
  /** The ends of the first saves. Later saves succeed at once. */
  answers?: Answer[]
}

type Event = (recorder: Recorder, cancellation: AbortController) => unknown

const start =
  (id: string, name = nameOfOnlyRun): Event =>
  (recorder) =>
    recorder.started(name, id)
const end =
  (executionId: string, conclusion: RecordedEnd['conclusion'], name = nameOfOnlyRun): Event =>
  (recorder) =>
    recorder.ended(name, { conclusion, executionId })
const report: Event = (recorder) => recorder.reported(neverAborts)
/** Reports the end, and is cancelled during the last save. */
const reportCancelled: Event = async (recorder) => {
  const cancellation = new AbortController()
  const reported = recorder.reported(cancellation.signal)
  cancellation.abort()
  await reported
  await recorder.close()
}
const close: Event = (recorder) => recorder.close()
const cancel: Event = (_, cancellation) => cancellation.abort()

const batch = { form: 'file' } as const
const again = {
  ownAttempt: 2,
  found: foundRecord({ attempt: 1, kind: 'known', executionId: 'e0' }),
}
const reuse = { onRerun: 'reuse' } as const
const success = { attempt: 1, kind: 'known', executionId: 'e0', outcome: 'success' } as const
const reported = foundRecord(success, { isReported: true })
const never = { after: Infinity }
const everySecond = Object.fromEntries(
  Array.from({ length: 1100 }, (_, at) => [at, [start(`e${at}`, 'one')]]),
)

function foundRecord(run: RecordedRun, more: Partial<StepRecord> = {}): EarlierRecord {
  const record = { savedBy: 1, isFinal: true, isReported: false, ...more }
  return { kind: 'found', record: { ...record, runs: new Map([[nameOfOnlyRun, run]]) } }
}

/**
 * The columns: the rule, the circumstances, the events by second, the saves, the certainty. A save
 * has its second and the ids in the record. `end`: close() resolves. `+20`: from second 20 on, the
 * newest record is certain to name all executions. `-25`: from second 25 on, it is not certain.
 */
it.each<[string, Given, Record<number, Event[]>, string[], string]>([
  ['20 s after the first start', {}, { 5: [start('e1')] }, ['25 e1'], '+25'],
  [
    '20 s after the first start of a batch, with everything that is known by then',
    batch,
    { 0: [start('e1', 'one')], 19: [end('e1', 'error', 'one'), start('e2', 'two')] },
    ['20 e1+e2'],
    '+20',
  ],
  [
    'then after each change, in pauses that double from 30 s to 5 min',
    batch,
    everySecond,
    ['20 e19', '50 e49', '110 e109', '230 e229', '470 e469', '770 e769', '1070 e1069'],
    '',
  ],
  [
    'not again while nothing changes',
    {},
    { 0: [start('e1')], 60: [start('e1'), end('e1', 'timed-out')] },
    ['20 e1'],
    '+20',
  ],
  ['at once if an older record is the newest', again, { 5: [start('e1')] }, ['5 e1'], '+5'],
  [
    'at once if an older record may be the newest',
    { ownAttempt: 2, found: { kind: 'unreadable', why: 'damaged' } },
    { 5: [start('e1')] },
    ['5 e1'],
    '+5',
  ],
  [
    'after 20 s in a later attempt that found none',
    { ownAttempt: 2, found: { kind: 'none' } },
    { 5: [start('e1')] },
    ['25 e1'],
    '+25',
  ],
  [
    'at once if a retry follows the execution that is on record',
    { answers: [{ after: 0 }, { after: 3 }] },
    { 0: [start('e1')], 25: [end('e1', 'container-error'), start('e2')] },
    ['20 e1', '25 e2'],
    '+20 -25 +28',
  ],
  [
    'at the end of the step if an end was not reported',
    {},
    { 0: [start('e1')], 5: [end('e1', 'error'), close] },
    ['5 e1', '5 end'],
    '+5',
  ],
  [
    'never if one short run was reported',
    {},
    { 0: [start('e1')], 19: [end('e1', 'success'), report] },
    ['19 end'],
    '',
  ],
  [
    'at the end of the step if an older record exists, as reported',
    {},
    { 0: [start('e1')], 25: [end('e1', 'error'), report] },
    ['20 e1', '25 e1 reported', '25 end'],
    '+20',
  ],
  [
    'at the end of a batch with a run that failed, even if nothing has changed since',
    batch,
    { 0: [start('e1', 'one'), end('e1', 'error', 'one')], 25: [close] },
    ['20 e1', '25 e1 closed', '25 end'],
    '+20',
  ],
  [
    'at the end of the step with `reuse`, if there is a success to keep',
    reuse,
    { 0: [start('e1'), end('e1', 'success'), report] },
    ['0 e1 reported', '0 end'],
    '+0',
  ],
  [
    'never with `reuse` if one short run failed and was reported',
    reuse,
    { 0: [start('e1'), end('e1', 'error'), report] },
    ['0 end'],
    '',
  ],
  [
    'at the end of a batch with `reuse`, if there is one success to keep',
    { ...batch, ...reuse },
    { 0: [end('e1', 'error', 'one'), end('e2', 'success', 'two'), report] },
    ['0 e1+e2 reported closed', '0 end'],
    '+0',
  ],
  [
    'again, as not reported, if the step is cancelled during the last save',
    { answers: [{ after: 0 }, { after: 1 }] },
    { 0: [start('e1')], 25: [end('e1', 'success'), reportCancelled] },
    ['20 e1', '25 e1 reported', '27 e1', '27 end'],
    '+20 -26 +27',
  ],
  [
    'again, as not reported, if that last save hangs, but not certainly',
    { answers: [{ after: 0 }, never] },
    { 0: [start('e1')], 25: [end('e1', 'success'), reportCancelled] },
    ['20 e1', '25 e1 reported', '35 e1', '35 end'],
    '+20 -35',
  ],
  [
    'as not reported, if a step is cancelled that would save nothing',
    {},
    { 0: [start('e1')], 19: [end('e1', 'success'), reportCancelled] },
    ['19 e1', '19 end'],
    '+19',
  ],
  ['in `start`, before it ends', {}, { 0: [start('e1'), close] }, ['0 e1', '0 end'], '+0'],
  ['never if nothing was started', {}, { 0: [end('', 'not-started'), close] }, ['0 end'], '+0'],
  [
    'never in a first attempt with on-rerun: start',
    { onRerun: 'start' },
    { 0: [start('e1')], 30: [end('e1', 'error'), close] },
    ['30 end'],
    '',
  ],
  [
    'in a later attempt with on-rerun: start, but never certain',
    { onRerun: 'start', ownAttempt: 2 },
    { 0: [start('e1')] },
    ['0 e1'],
    '',
  ],
  [
    'never in a later attempt that learns nothing new',
    again,
    { 0: [start('e0'), end('e0', 'cancelled')], 60: [close] },
    ['60 end'],
    '+0',
  ],
  [
    'at the end of a later attempt that closes the record of a batch, even if no run has changed',
    { ...batch, ownAttempt: 2, found: foundRecord(success, { isFinal: false }) },
    { 0: [end('e0', 'timed-out'), close] },
    ['0 e0 closed', '0 end'],
    '+0',
  ],
  [
    'at the end of a later attempt that reports an end, even if no run has changed',
    { ...batch, ownAttempt: 2, found: foundRecord(success) },
    { 0: [end('e0', 'success'), report] },
    ['0 e0 reported closed', '0 end'],
    '+0',
  ],
  [
    'never after a success that `reuse` has published again',
    { ...reuse, ownAttempt: 2, found: reported },
    { 0: [end('e0', 'success'), report] },
    ['0 end'],
    '+0',
  ],
  [
    'never after a success that `reuse` could not publish again',
    { ...reuse, ownAttempt: 2, found: reported },
    { 0: [end('e0', 'timed-out'), close] },
    ['0 end'],
    '+0',
  ],
  [
    'one after the other, and only the newest of those that wait',
    { ...again, answers: [{ after: 5 }] },
    { 0: [start('e1')], 1: [start('e2')], 2: [start('e3')] },
    ['0 e1', '6 e3'],
    '+6',
  ],
  [
    'at least 1 s after the end of the save before',
    { ...again, answers: [{ after: 2 }] },
    { 0: [start('e1')], 2: [start('e2')] },
    ['0 e1', '3 e2'],
    '+3',
  ],
  [
    'without that pause after a save that failed',
    { ...again, answers: [{ after: 2, fails: true }] },
    { 0: [start('e1')], 2: [start('e2')] },
    ['0 e1', '2 e2'],
    '+2',
  ],
  [
    'after a save that was given up after 60 s has ended',
    { ...again, answers: [{ after: 100 }] },
    { 0: [start('e1')], 1: [start('e2')], 99: [start('e3')], 101: [start('e4')] },
    ['0 e1', '100 e3', '101 e4'],
    '+100',
  ],
  [
    'at the end of the step beside a save that was given up, but not certainly',
    { ...again, answers: [never] },
    { 0: [start('e1')], 61: [start('e2'), close] },
    ['0 e1', '61 e2', '61 end'],
    '',
  ],
  [
    'at the end of the step beside such a save, not certainly even after that save',
    { ...again, answers: [{ after: 62 }] },
    { 0: [start('e1')], 61: [start('e2'), close] },
    ['0 e1', '61 e2', '61 end'],
    '',
  ],
  [
    'uncertain as long as a save that was given up is running',
    { ...batch, answers: [{ after: 0 }, { after: 75 }] },
    { 0: [start('e1', 'one')], 30: [end('e1', 'error', 'one')], 60: [] },
    ['20 e1', '50 e1'],
    '+20 -110 +125',
  ],
  [
    'without losing the certain record if a later save fails',
    { ...batch, answers: [{ after: 0 }, { after: 0, fails: true }] },
    { 0: [start('e1', 'one')], 30: [end('e1', 'error', 'one')] },
    ['20 e1', '50 e1'],
    '+20',
  ],
  [
    'again at the end of the step, if the last save failed',
    { answers: [{ after: 0, fails: true }] },
    { 0: [start('e1')], 30: [close] },
    ['20 e1', '30 e1', '30 end'],
    '+30',
  ],
  [
    'for at most 30 s at the end of the step',
    { answers: [never] },
    { 0: [start('e1'), close] },
    ['0 e1', '30 end'],
    '',
  ],
  [
    'for at most 30 s at the end of the step, if that save is running already',
    { ...again, answers: [never] },
    { 0: [start('e1')], 10: [close] },
    ['0 e1', '40 end'],
    '',
  ],
  [
    'at the end of the step again, if that save has had its 60 s',
    { ...again, answers: [never, { after: 5 }] },
    { 0: [start('e1')], 50: [close] },
    ['0 e1', '60 e1', '65 end'],
    '',
  ],
  [
    'at the end of the step after at most 10 s of a save that hangs, with 20 s left',
    { ...again, answers: [never, never] },
    { 0: [start('e1')], 10: [start('e2'), close] },
    ['0 e1', '20 e2', '40 end'],
    '',
  ],
  [
    'until 5 s after a signal, if the step ends 3 s after the signal',
    { answers: [never] },
    { 0: [start('e1'), cancel], 3: [close] },
    ['3 e1', '5 end'],
    '',
  ],
  [
    'until 5 s after a signal that comes during the last save',
    { answers: [never] },
    { 0: [start('e1'), close], 10: [cancel] },
    ['0 e1', '15 end'],
    '',
  ],
  [
    'until 5 s after a signal, if that save was running before',
    { ...again, answers: [{ after: 12 }] },
    { 0: [start('e1')], 8: [cancel, close] },
    ['0 e1', '12 end'],
    '+12',
  ],
  [
    'after a signal with most of the 5 s left, if an older save hangs',
    { ...again, answers: [never, { after: 3 }] },
    { 0: [start('e1')], 8: [start('e2'), cancel, close] },
    ['0 e1', '9.67 e2', '12.67 end'],
    '',
  ],
  [
    'at the end of the step after a save that is made in this time',
    { ...again, answers: [{ after: 11 }] },
    { 0: [start('e1')], 10: [start('e2'), close] },
    ['0 e1', '12 e2', '12 end'],
    '+12',
  ],
])('the record of a step is saved: %s', async (_, given, events, saves, certain) => {
  const clock = new SimulatedClock({ maxJump: 0 })
  const timeline: string[] = []
  const seconds = () => Math.round(clock.elapsed / 10) / 100
  const { found = { kind: 'none' }, answers = [] } = given
  const { form = 'key', ownAttempt = 1, onRerun = 'resume' } = given
  const save = async (record: StepRecord, signal: AbortSignal) => {
    timeline.push(`${seconds()} ${describeRecord(record, form)}`)
    const { after, fails = false } = answers.shift() ?? { after: 0 }
    const made = clock.sleep(after * 1_000, neverAborts)
    const givenUp = new Promise((resolve) => signal.addEventListener('abort', resolve))
    return await Promise.race([
      made.then(() => ({ isSaved: !fails })),
      givenUp.then(() => ({ isSaved: false, running: made })),
    ])
  }
  const store = { find: () => Promise.resolve(found), save }
  const prepare = () => undefined
  const cancellation = new AbortController()
  const { signal: cancelled } = cancellation
  const step = { form, ownAttempt, onRerun, clock, cancelled }
  const recorder = new Recorder({ ...step, prepare, store })
  if (recorder.rerunMode) await recorder.read()

  const turns: string[] = []
  let wasCertain = false
  const moments = Object.keys(events).map(Number)
  for (let at = 0; at <= Math.max(...moments) + 70; at += 1) {
    for (const event of events[at] ?? []) {
      const done = event(recorder, cancellation)
      if (done instanceof Promise) void done.then(() => timeline.push(`${seconds()} end`))
    }
    await new Promise((resolve) => setImmediate(resolve))
    const isCertain = recorder.isOnRecord
    if (at >= Math.min(...moments) && isCertain !== wasCertain) {
      turns.push(`${isCertain ? '+' : '-'}${at}`)
      wasCertain = isCertain
    }
    await clock.advance(1_000)
  }
  expect(timeline).toEqual(saves)
  expect(turns.join(' ')).toBe(certain)
})

function describeRecord({ runs, isReported, isFinal }: StepRecord, form: string): string {
  const ids = [...runs.values()].map((run) => ('executionId' in run ? run.executionId : '?'))
  const isLast = form === 'file' && isFinal
  return `${ids.join('+')}${isReported ? ' reported' : ''}${isLast ? ' closed' : ''}`
}
