/** What a recorder knows, and when its record has to be saved. Moments are those of the step's clock. */
import { isDeepStrictEqual } from 'node:util'
import { outcomes, type Conclusion } from '../../execution/conclusion.ts'
import type { OnRerun } from '../inputs/again.ts'
import { type KeptRun, type StepRecord, writeRun } from './format.ts'

// Milliseconds. Most short steps have ended by then.
const firstSaveAfter = 20_000
const minPause = 30_000
const maxPause = 300_000
/** Some caches know to the second which entry is the newest. */
const minGap = 1_000
/** While runs are waited for there is time for the client's own retries. */
const maxSaveTime = 60_000
/** How long saving may delay the end of a step. */
const maxCloseTime = 3_000
/** How long the end of a step waits for a save that is already running, if another save must follow. */
const maxWaitForRunningSave = 2_000

/** How a run ended, or how following it ended. */
export interface RunEnd {
  conclusion: Conclusion
  /** Undefined if its last start got no clear answer. */
  executionId: string | undefined
  /** Whether the service kept a result. */
  leftResult?: boolean | undefined
}

export interface RecordState {
  carrier: 'run' | 'batch'
  attempt: number
  onRerun: OnRerun
  runs: ReadonlyMap<string, KeptRun>
  isReported: boolean
  isClosed: boolean
  /** An older record is, or may be, the newest one in the cache. */
  hasOlder: boolean
  /**
   * The newest record for certain: its save has answered "saved", and no earlier save was running
   * any more. A save that fails does not change it: whichever record is the newest then, a re-run
   * finds all executions that both know.
   */
  certain: StepRecord | undefined
  /** The save that is running, until it has answered or is given up. */
  sending: { record: StepRecord; giveUpAt: number } | undefined
  /** Saves that were given up. The client is still making them. */
  unsettled: number
  /** When the next save is due; Infinity if none is. */
  dueAt: number
  /** The earliest moment of a save that is not urgent. */
  nextSaveAt: number | undefined
  /** The earliest moment of any save. */
  notBefore: number
  pause: number
  /** The end of the time for saving. */
  endsAt: number
}

export type RecordEvent =
  | { kind: 'found'; record: StepRecord | undefined; hasOlder: boolean }
  | { kind: 'started'; name: string; executionId: string }
  | { kind: 'ended'; name: string; end: RunEnd }
  | { kind: 'reported' }
  | { kind: 'save-requested' }
  | { kind: 'closed' }
  /** The loop can begin the save that is due. */
  | { kind: 'ready' }
  /** `isRunning`: the save was given up, and the client is still making it. */
  | { kind: 'answered'; isSaved: boolean; isRunning: boolean }
  /** The client has finished a save that was given up. */
  | { kind: 'settled' }

export interface RecordStep {
  state: RecordState
  /** The record to save now. */
  save?: StepRecord
}

export function emptyState({
  carrier,
  attempt,
  onRerun,
}: Pick<RecordState, 'carrier' | 'attempt' | 'onRerun'>): RecordState {
  return {
    carrier,
    attempt,
    onRerun,
    runs: new Map(),
    isReported: false,
    isClosed: false,
    hasOlder: attempt > 1,
    certain: undefined,
    sending: undefined,
    unsettled: 0,
    dueAt: Infinity,
    nextSaveAt: undefined,
    notBefore: -Infinity,
    pause: minPause,
    endsAt: Infinity,
  }
}

/** Returns the state after the event, and the save that begins with it. */
export function next(state: RecordState, event: RecordEvent, now: number): RecordStep {
  // Nobody reads the records of a first attempt with `start`.
  if (state.onRerun === 'start' && state.attempt === 1) return { state }
  if (event.kind === 'ready') return saveDue(state, now)
  return { state: after(state, event, now) }
}

function after(
  state: RecordState,
  event: Exclude<RecordEvent, { kind: 'ready' }>,
  now: number,
): RecordState {
  switch (event.kind) {
    case 'found':
      return afterReading(state, event)
    case 'started':
      return afterStart(state, event, now)
    case 'ended':
      return afterEnd(state, event, now)
    case 'reported':
      return { ...state, isReported: true }
    case 'save-requested':
      return isUnsaved(state) && !state.isClosed ? { ...state, dueAt: now } : state
    case 'closed':
      return afterClose(state, now)
    case 'answered':
      return afterAnswer(state, event, now)
    case 'settled':
      return { ...state, unsettled: state.unsettled - 1 }
  }
}

/** The moment at which the next save begins, or the running one is given up. Infinity if none. */
export function actsAt({ sending, dueAt, notBefore }: RecordState): number {
  return sending ? sending.giveUpAt : Math.max(dueAt, notBefore)
}

/** Whether a re-run of the job finds all executions that are known by now, for certain. */
export function isOnRecord({ runs, certain, onRerun }: RecordState): boolean {
  const isSaved = [...runs].every(([name, run]) => idOf(run) === idOf(certain?.runs.get(name)))
  return onRerun !== 'start' && isSaved
}

function afterReading(
  state: RecordState,
  { record, hasOlder }: Extract<RecordEvent, { kind: 'found' }>,
): RecordState {
  if (!record) return { ...state, hasOlder }
  const isReported = record.isReported && state.onRerun === 'reuse'
  // Runs that the last list of a batch did not have may still be running.
  const isOver = record.isReported && !isReported
  const runs = new Map([...record.runs].filter(([, { kind }]) => !isOver || kind !== 'ended'))
  return { ...state, hasOlder, isReported, runs, certain: { ...record, isReported, runs } }
}

function afterStart(
  state: RecordState,
  { name, executionId }: Extract<RecordEvent, { kind: 'started' }>,
  now: number,
): RecordState {
  if (idOf(state.runs.get(name)) === executionId) return state
  const run = { kind: 'started', attempt: state.attempt, executionId } as const
  const changed = withRun(state, name, run, now)
  // A re-run must find the execution that is running, not the one before it.
  const isUrgent = state.hasOlder && state.carrier === 'run'
  return isUrgent ? { ...changed, dueAt: now } : changed
}

function afterEnd(
  state: RecordState,
  { name, end }: Extract<RecordEvent, { kind: 'ended' }>,
  now: number,
): RecordState {
  const before = state.runs.get(name)
  const isKnown = before !== undefined && idOf(before) === end.executionId
  // A result that was there once may be lost since. It still counts as produced.
  const wasLeft = isKnown && 'leftResult' in before && before.leftResult
  const leftResult = wasLeft === true ? true : end.leftResult
  // An execution that an earlier attempt started keeps the number of that attempt.
  const attempt = isKnown ? before.attempt : state.attempt
  const run = runOf({ ...end, leftResult }, attempt)
  // No end was seen now: an end that was seen before stays known.
  if (!run || (isKnown && run.kind === 'started')) return state
  return isDeepStrictEqual(before, run) ? state : withRun(state, name, run, now)
}

function withRun(state: RecordState, name: string, run: KeptRun, now: number): RecordState {
  // An older record must not stay the newest.
  const nextSaveAt = state.nextSaveAt ?? now + (state.hasOlder ? 0 : firstSaveAfter)
  const isScheduled = state.isClosed || state.dueAt < Infinity
  return {
    ...state,
    runs: new Map(state.runs).set(name, run),
    isReported: false,
    nextSaveAt,
    dueAt: isScheduled ? state.dueAt : nextSaveAt,
  }
}

function afterClose(state: RecordState, now: number): RecordState {
  const closed = { ...state, isClosed: true, endsAt: now + maxCloseTime }
  const isDue = isKept(closed) && isUnsaved(closed)
  const { sending } = state
  // The newest record matters most. It is certain only if the save before it has finished.
  const span = isDue ? maxWaitForRunningSave : maxCloseTime
  const giveUpAt = sending && Math.min(sending.giveUpAt, now + span)
  return {
    ...closed,
    dueAt: isDue ? now : Infinity,
    sending: sending && giveUpAt ? { ...sending, giveUpAt } : undefined,
  }
}

function isKept({ runs, isReported, hasOlder, onRerun }: RecordState): boolean {
  if (!isReported || hasOlder) return true
  return onRerun === 'reuse' && [...runs.values()].some((run) => conclusionOf(run) === 'success')
}

/** Whether a record of this state says more than the record that is saved, or is being saved. */
function isUnsaved({
  carrier,
  runs,
  isReported,
  isClosed,
  sending,
  certain,
}: RecordState): boolean {
  const saved = sending?.record ?? certain
  if (!saved || runs.size === 0) return runs.size > 0
  if (carrier === 'run') return writeRun({ isReported, runs }) !== writeRun(saved)
  // A batch's record that is not closed may lack runs that were started after it.
  const isNewlyClosed = isClosed && !saved.isClosed
  return runs !== saved.runs || isReported !== saved.isReported || isNewlyClosed
}

function saveDue(state: RecordState, now: number): RecordStep {
  if (state.sending || actsAt(state) > now) return { state }
  if (!isUnsaved(state)) return { state: { ...state, dueAt: Infinity } }
  const { attempt, isClosed, isReported, runs, pause, endsAt } = state
  const record = { attempt, isClosed, isReported, runs }
  return {
    save: record,
    state: {
      ...state,
      hasOlder: true,
      sending: { record, giveUpAt: Math.min(now + maxSaveTime, endsAt) },
      dueAt: Infinity,
      nextSaveAt: now + pause,
      pause: Math.min(2 * pause, maxPause),
    },
  }
}

function afterAnswer(
  state: RecordState,
  { isSaved, isRunning }: Extract<RecordEvent, { kind: 'answered' }>,
  now: number,
): RecordState {
  const isCertain = isSaved && state.unsettled === 0
  return {
    ...state,
    sending: undefined,
    certain: isCertain ? state.sending?.record : state.certain,
    unsettled: state.unsettled + (isRunning ? 1 : 0),
    // After a save that failed no time is lost: at the step's end there may be only one second.
    notBefore: isSaved ? now + minGap : state.notBefore,
  }
}

/** Returns undefined if nothing new is known: an earlier start of the run may have been accepted. */
function runOf(
  { conclusion, executionId, leftResult }: RunEnd,
  attempt: number,
): KeptRun | undefined {
  if (conclusion === 'refused' || conclusion === 'not-started') return undefined
  if (executionId === undefined) {
    return conclusion === 'unknown' ? { kind: 'start-unknown', attempt } : undefined
  }
  const outcome = outcomes.find((each) => each === conclusion)
  if (outcome === undefined) return { kind: 'started', attempt, executionId }
  const ended = { kind: 'ended', attempt, executionId, conclusion: outcome } as const
  return leftResult ? { ...ended, leftResult } : ended
}

function conclusionOf(run: KeptRun): Conclusion | undefined {
  return run.kind === 'ended' ? run.conclusion : undefined
}

function idOf(run: KeptRun | undefined): string | undefined {
  return run && 'executionId' in run ? run.executionId : undefined
}
