/**
 * Decides when a step saves its record for re-runs, and knows which record is certainly the newest.
 * All times are milliseconds of the step's clock.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Rerun } from '../inputs/action-inputs.ts'
import { writeRun } from './format.ts'
import type { RecordForm } from './identity.ts'
import type { RecordedRun, StepRecord } from './record.ts'

/** The delay of the first save. Most short runs end before this save. */
export const firstSaveAfter = 20_000
export const minSavePause = 30_000
export const maxSavePause = 300_000
/** The minimum time between two saves, because some caches order entries only by whole seconds. */
const minGap = 1_000
/** The time limit of one save. The cache client has enough time to repeat failed requests. */
const maxSaveTime = 60_000
/** How long saves may delay the end of a step. A slow cache is cheaper than a second paid run. */
export const maxCloseTime = 30_000
/** How long saves may take after a signal. The annotation of the step must still follow in time. */
export const maxTimeAfterSignal = 5_000
/** The part of the time left that the final save waits for a running save of an older record. */
const shareOfOlderSave = 1 / 3

/** What stays the same during a step. */
export interface RecordSettings {
  form: RecordForm
  /** The number of this attempt of the job. */
  ownAttempt: number
  onRerun: Rerun['onRerun']
}

export interface RecordState extends Readonly<RecordSettings> {
  /** True if the cache contains, or may contain, a record of this step. */
  mayBeInCache: boolean
  /**
   * The record that is certainly the newest in the cache. When this record was saved, no earlier
   * save was running. A later save that fails does not change this field. If the later record was
   * saved anyway, the later record also names every execution of this record.
   */
  certain: StepRecord | undefined
  /** The save that is running. Undefined if no save is running. */
  sending: { record: StepRecord; giveUpAt: number } | undefined
  /** The number of saves that the step gave up and that the cache client has not finished yet. */
  unsettled: number
  /** True if a save is due at `nextSaveAt`: a run has started or ended, or the step ends. */
  isSaveWanted: boolean
  /** The time of the next save, if one is wanted. Undefined before the first change. */
  nextSaveAt: number | undefined
  /** No save may begin before this time (see {@link minGap}). */
  notBefore: number
  /** The pause that follows the next save. */
  pause: number
  /** True if the step ends, so that changes need no further save. */
  isClosed: boolean
  /** The time when the step gives up all saves. Infinity before the end of the step or a signal. */
  endsAt: number
}

export type RecordEvent =
  | { kind: 'found'; record: StepRecord | undefined; mayBeInCache: boolean }
  | { kind: 'started' | 'ended' }
  /** The runner's signal has reached the step. */
  | { kind: 'cancelled' }
  /** `record` contains everything that the step knows when this event happens. */
  | { kind: 'closed' | 'due'; record: StepRecord }
  /**
   * The step no longer waits for the save. `isRunning` is true if the cache client has not finished a
   * try that the step gave up. That try may still save the record.
   */
  | { kind: 'saved' | 'failed'; isRunning: boolean }
  /** The cache client has finished a save that the step had given up. */
  | { kind: 'ended-late' }

export function emptyState(settings: RecordSettings): RecordState {
  return {
    ...settings,
    mayBeInCache: settings.ownAttempt > 1,
    certain: undefined,
    sending: undefined,
    unsettled: 0,
    isSaveWanted: false,
    nextSaveAt: undefined,
    notBefore: -Infinity,
    pause: minSavePause,
    isClosed: false,
    endsAt: Infinity,
  }
}

/** Returns the state after an event. After the event `due`, `sending` holds the record to save. */
export function next(state: RecordState, event: RecordEvent, now: number): RecordState {
  // A first attempt with `on-rerun: start` saves nothing, because no later attempt reads a record.
  if (state.onRerun === 'start' && state.ownAttempt === 1) return state
  switch (event.kind) {
    case 'found':
      return { ...state, certain: event.record, mayBeInCache: event.mayBeInCache }
    case 'started':
    case 'ended':
      return afterChange(state, event.kind, now)
    case 'due':
      return beginSave(state, event.record, now)
    case 'saved':
    case 'failed':
      return afterSave(state, event, now)
    case 'ended-late':
      return { ...state, unsettled: state.unsettled - 1 }
    case 'cancelled':
      return endBy(state, now + maxTimeAfterSignal, now)
    case 'closed':
      return afterClose(state, event.record, now)
  }
}

/** Returns the time to give up a running save or to begin a due save. Infinity if there is none. */
export function nextActionAt(state: RecordState): number {
  const { sending, unsettled, isSaveWanted, nextSaveAt, notBefore, isClosed } = state
  if (sending) return sending.giveUpAt
  // A save that was given up may still arrive. Only the end of the step does not wait for it.
  if (unsettled > 0 && !isClosed) return Infinity
  return isSaveWanted ? Math.max(nextSaveAt ?? 0, notBefore) : Infinity
}

function afterChange(state: RecordState, kind: 'started' | 'ended', now: number): RecordState {
  const { form, mayBeInCache, nextSaveAt, isClosed } = state
  if (isClosed) return state
  // If this save came late, a re-run could read an older record without the running execution.
  const isFirstChange = nextSaveAt === undefined
  const isUrgent = mayBeInCache && (isFirstChange || (form === 'key' && kind === 'started'))
  const dueAt = isUrgent ? now : (nextSaveAt ?? now + firstSaveAfter)
  return { ...state, isSaveWanted: true, nextSaveAt: dueAt }
}

function beginSave(state: RecordState, record: StepRecord, now: number): RecordState {
  if (!isUnsaved(record, state)) return { ...state, isSaveWanted: false }
  return {
    ...state,
    mayBeInCache: true,
    sending: { record, giveUpAt: Math.min(now + maxSaveTime, state.endsAt) },
    isSaveWanted: false,
    nextSaveAt: now + state.pause,
    pause: Math.min(2 * state.pause, maxSavePause),
  }
}

function afterSave(
  state: RecordState,
  { kind, isRunning }: Extract<RecordEvent, { kind: 'saved' | 'failed' }>,
  now: number,
): RecordState {
  const isSaved = kind === 'saved'
  const isCertain = isSaved && state.unsettled === 0
  // The end of the step may wait for this save. If time is left, another save follows.
  const isLastGivenUp = state.isClosed && !isSaved && isRunning && now < state.endsAt
  return {
    ...state,
    sending: undefined,
    isSaveWanted: state.isSaveWanted || isLastGivenUp,
    nextSaveAt: isLastGivenUp ? now : state.nextSaveAt,
    certain: isCertain ? state.sending?.record : state.certain,
    unsettled: state.unsettled + (isRunning ? 1 : 0),
    // After a failed save, no pause is needed. A pause could take too long at the end of a step.
    notBefore: isSaved ? now + minGap : state.notBefore,
  }
}

function afterClose(state: RecordState, record: StepRecord, now: number): RecordState {
  const isSaveWanted = isNeeded(record, state) && isUnsaved(record, state)
  const closed = { ...state, isClosed: true, isSaveWanted, nextSaveAt: now }
  return endBy(closed, now + maxCloseTime, now)
}

/** Ends all saves at `end` or earlier. A running save leaves time for a newer record. */
function endBy(state: RecordState, end: number, now: number): RecordState {
  const { sending, isClosed, isSaveWanted } = state
  const endsAt = Math.min(state.endsAt, end)
  const share = isClosed && isSaveWanted ? shareOfOlderSave : 1
  const giveUpAt = Math.min(sending?.giveUpAt ?? Infinity, now + (endsAt - now) * share)
  return { ...state, endsAt, sending: sending && { record: sending.record, giveUpAt } }
}

/** Returns true if a re-run needs the record of a step that ends now. */
function isNeeded(
  { isReported, runs }: StepRecord,
  { mayBeInCache, onRerun }: RecordState,
): boolean {
  if (!isReported || mayBeInCache) return true
  const isSuccess = (run: RecordedRun) => run.kind === 'known' && run.outcome === 'success'
  return onRerun === 'reuse' && [...runs.values()].some(isSuccess)
}

/** Returns true if a record differs from the record that is saved or is being saved. */
function isUnsaved(record: StepRecord, state: RecordState): boolean {
  const { form, sending, certain, unsettled } = state
  // A save that was given up may replace the certain record.
  const saved = sending?.record ?? (unsettled > 0 ? undefined : certain)
  if (!saved || record.runs.size === 0) return record.runs.size > 0
  if (form === 'key') return writeRun(record) !== writeRun(saved)
  // If the final record of a batch is missing, a re-run warns that more runs may have been started.
  if (record.isFinal && !saved.isFinal) return true
  return record.isReported !== saved.isReported || !isDeepStrictEqual(record.runs, saved.runs)
}
