/**
 * Decides when the record of a step is saved, and which record is certainly the newest one. A moment
 * is a time of the step's clock. All times are milliseconds.
 */
import { isDeepStrictEqual } from 'node:util'
import type { OnRerun } from '../inputs/again.ts'
import { type StepRecord, writeRun } from './format.ts'

/** Most short runs have ended by then. */
export const firstSaveAfter = 20_000
export const minPause = 30_000
export const maxPause = 300_000
/** Some caches order their entries by whole seconds. */
const minGap = 1_000
/** The step waits for its runs in this time, so the client can use its own retries. */
const maxSaveTime = 60_000
/** How long saving may delay the end of a step. */
export const maxCloseTime = 3_000
/** How long the end of a step waits for a running save if another save must follow. */
const maxWaitForRunningSave = 2_000

export interface RecordState {
  /** Whether the step has one run or is a batch. */
  readonly carrier: 'run' | 'batch'
  readonly attempt: number
  readonly onRerun: OnRerun
  /** An older record is, or may be, the newest one in the cache. */
  hasOlder: boolean
  /**
   * The record that is certainly the newest one: its save answered "saved", and no earlier save was
   * still running. A later save that fails does not change this field. If the client makes that save
   * after all, a re-run still finds every execution that both records name.
   */
  certain: StepRecord | undefined
  /** The save that is running, until it answers. */
  sending: { record: StepRecord; giveUpAt: number } | undefined
  /** How many saves were given up while the client is still making them. */
  unsettled: number
  /** Something was started or has ended since the last save began. */
  isChanged: boolean
  /** When a change is saved. Undefined before the first change. */
  nextSaveAt: number | undefined
  /** No save begins before this moment. */
  notBefore: number
  /** The pause after the next save. */
  pause: number
  /** When all saving ends. Infinity until the step ends. */
  endsAt: number
}

export type RecordEvent =
  | { kind: 'found'; record: StepRecord | undefined; hasOlder: boolean }
  | { kind: 'started' | 'ended' }
  /** `record`: everything that is known now. */
  | { kind: 'closed' | 'due'; record: StepRecord }
  /** `isRunning`: the save was given up, and the client is still making it. */
  | { kind: 'answered'; isSaved: boolean; isRunning: boolean }
  /** The client has finished a save that was given up. */
  | { kind: 'settled' }

export function emptyState(
  step: Pick<RecordState, 'carrier' | 'attempt' | 'onRerun'>,
): RecordState {
  return {
    ...step,
    hasOlder: step.attempt > 1,
    certain: undefined,
    sending: undefined,
    unsettled: 0,
    isChanged: false,
    nextSaveAt: undefined,
    notBefore: -Infinity,
    pause: minPause,
    endsAt: Infinity,
  }
}

/** Returns the state after an event. After the event `due`, `sending` is the save to make. */
export function next(state: RecordState, event: RecordEvent, now: number): RecordState {
  // No attempt reads the record of a first attempt with `start`.
  if (state.onRerun === 'start' && state.attempt === 1) return state
  switch (event.kind) {
    case 'found':
      return { ...state, certain: event.record, hasOlder: event.hasOlder }
    case 'started':
    case 'ended':
      return afterChange(state, event.kind, now)
    case 'due':
      return beginSave(state, event.record, now)
    case 'answered':
      return afterAnswer(state, event, now)
    case 'settled':
      return { ...state, unsettled: state.unsettled - 1 }
    case 'closed':
      return afterClose(state, event.record, now)
  }
}

/** Returns when the next save is due or the running save is given up. Infinity if neither will be. */
export function actsAt({ sending, isChanged, nextSaveAt, notBefore }: RecordState): number {
  if (sending) return sending.giveUpAt
  return isChanged ? Math.max(nextSaveAt ?? 0, notBefore) : Infinity
}

function afterChange(state: RecordState, kind: 'started' | 'ended', now: number): RecordState {
  const { carrier, hasOlder, nextSaveAt, endsAt } = state
  if (endsAt < Infinity) return state
  // A re-run must find the execution that is running, and not the one before it.
  const isUrgent =
    hasOlder && (nextSaveAt === undefined || (carrier === 'run' && kind === 'started'))
  const dueAt = isUrgent ? now : (nextSaveAt ?? now + firstSaveAfter)
  return { ...state, isChanged: true, nextSaveAt: dueAt }
}

function beginSave(state: RecordState, record: StepRecord, now: number): RecordState {
  if (!isUnsaved(record, state)) return { ...state, isChanged: false }
  return {
    ...state,
    hasOlder: true,
    sending: { record, giveUpAt: Math.min(now + maxSaveTime, state.endsAt) },
    isChanged: false,
    nextSaveAt: now + state.pause,
    pause: Math.min(2 * state.pause, maxPause),
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
    // A save that failed needs no gap. At the end of a step only one second may be left.
    notBefore: isSaved ? now + minGap : state.notBefore,
  }
}

function afterClose(state: RecordState, record: StepRecord, now: number): RecordState {
  const isDue = isNeeded(record, state) && isUnsaved(record, state)
  const waitsUntil = now + (isDue ? maxWaitForRunningSave : maxCloseTime)
  const sending = state.sending && {
    record: state.sending.record,
    giveUpAt: Math.min(state.sending.giveUpAt, waitsUntil),
  }
  return { ...state, sending, isChanged: isDue, nextSaveAt: now, endsAt: now + maxCloseTime }
}

/** Returns whether a re-run needs the record of a step that ends now. */
function isNeeded({ isReported, runs }: StepRecord, { hasOlder, onRerun }: RecordState): boolean {
  if (!isReported || hasOlder) return true
  const succeeded = [...runs.values()].some(
    (run) => run.kind === 'ended' && run.conclusion === 'success',
  )
  return onRerun === 'reuse' && succeeded
}

/** Returns whether a record says more than the one that is saved, or is being saved. */
function isUnsaved(record: StepRecord, { carrier, sending, certain }: RecordState): boolean {
  const saved = sending?.record ?? certain
  if (!saved || record.runs.size === 0) return record.runs.size > 0
  if (carrier === 'run') return writeRun(record) !== writeRun(saved)
  // A batch may have started more runs after a record that is not closed.
  if (record.isClosed && !saved.isClosed) return true
  return record.isReported !== saved.isReported || !isDeepStrictEqual(record.runs, saved.runs)
}
