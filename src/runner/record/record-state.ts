/** What a recorder knows, and when its record has to be saved. Moments are those of the step's clock. */
import { outcomes, type Conclusion } from '../../execution/conclusion.ts'
import type { OnRerun } from '../inputs/again.ts'
import type { KeptRun, StepRecord } from './format.ts'

// Milliseconds. Most short steps have ended by then.
const firstSaveAfter = 20_000
const minPause = 30_000
const maxPause = 300_000

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
  /** The runs of the newest record that is in the cache for certain. */
  savedRuns: ReadonlyMap<string, KeptRun>
  /** An older record is, or may be, the newest one in the cache. */
  hasOlder: boolean
  /** Runs may have been started after the newest record was saved. Always false for a single run. */
  isNewestOpen: boolean
  isReported: boolean
  isClosed: boolean
  /** Whether the record has changed since it was last saved. */
  isChanged: boolean
  /** When the next save is due; Infinity if none is. */
  dueAt: number
  /** The earliest moment of a save that is not urgent. */
  nextSaveAt: number | undefined
  pause: number
}

export type RecordEvent =
  | { kind: 'found'; record: StepRecord | undefined; hasOlder: boolean }
  | { kind: 'started'; name: string; executionId: string }
  | { kind: 'ended'; name: string; end: RunEnd }
  | { kind: 'reported' }
  | { kind: 'save-requested' }
  | { kind: 'closed' }
  /** The loop is free to save. */
  | { kind: 'ready' }
  | { kind: 'saved'; record: StepRecord; isCertain: boolean }

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
    savedRuns: new Map(),
    hasOlder: attempt > 1,
    isNewestOpen: false,
    isReported: false,
    isClosed: false,
    isChanged: false,
    dueAt: Infinity,
    nextSaveAt: undefined,
    pause: minPause,
  }
}

/** Returns the state after the event, and the save that is due. */
export function next(state: RecordState, event: RecordEvent, now: number): RecordStep {
  // Nobody reads the records of a first attempt with `start`.
  if (state.onRerun === 'start' && state.attempt === 1) return { state }
  switch (event.kind) {
    case 'found':
      return { state: afterReading(state, event) }
    case 'started':
      return { state: afterStart(state, event, now) }
    case 'ended':
      return { state: afterEnd(state, event, now) }
    case 'reported':
      return {
        state: { ...state, isReported: true, isChanged: state.isChanged || !state.isReported },
      }
    case 'save-requested':
      return { state: state.isChanged ? { ...state, dueAt: now } : state }
    case 'closed':
      return { state: { ...state, isClosed: true, dueAt: isDueAtEnd(state) ? now : Infinity } }
    case 'ready':
      return state.dueAt <= now ? saveNow(state, now) : { state }
    case 'saved':
      return {
        state: event.isCertain
          ? { ...state, savedRuns: event.record.runs }
          : { ...state, isChanged: true },
      }
  }
}

/** Whether a re-run of the job finds all executions that are known by now, for certain. */
export function isOnRecord({ runs, savedRuns, onRerun }: RecordState): boolean {
  const isSaved = [...runs].every(([name, run]) => idOf(run) === idOf(savedRuns.get(name)))
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
  const isNewestOpen = !record.isClosed
  return { ...state, hasOlder, isNewestOpen, isReported, runs, savedRuns: record.runs }
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
  const leftResult = (isKnown && leftResultOf(before)) || end.leftResult
  // An execution that an earlier attempt started keeps the number of that attempt.
  const attempt = isKnown ? before.attempt : state.attempt
  const run = runOf({ ...end, leftResult }, attempt)
  // No end was seen now: an end that was seen before stays known.
  if (!run || (isKnown && run.kind === 'started')) return state
  return before && isSame(before, run) ? state : withRun(state, name, run, now)
}

function withRun(state: RecordState, name: string, run: KeptRun, now: number): RecordState {
  // An older record must not stay the newest.
  const nextSaveAt = state.nextSaveAt ?? now + (state.hasOlder ? 0 : firstSaveAfter)
  const isScheduled = state.isClosed || state.dueAt < Infinity
  return {
    ...state,
    runs: new Map(state.runs).set(name, run),
    isChanged: true,
    isReported: false,
    nextSaveAt,
    dueAt: isScheduled ? state.dueAt : nextSaveAt,
  }
}

function isDueAtEnd(state: RecordState): boolean {
  const { runs, isReported, hasOlder, onRerun, isChanged, isNewestOpen } = state
  const hasSuccess = [...runs.values()].some(
    (run) => run.kind === 'ended' && run.conclusion === 'success',
  )
  const isKept = !isReported || hasOlder || (onRerun === 'reuse' && hasSuccess)
  return runs.size > 0 && isKept && (isChanged || isNewestOpen)
}

function saveNow(state: RecordState, now: number): RecordStep {
  const { attempt, isClosed, isReported, runs, carrier, pause } = state
  return {
    save: { attempt, isClosed, isReported, runs },
    state: {
      ...state,
      isChanged: false,
      hasOlder: true,
      isNewestOpen: !isClosed && carrier === 'batch',
      dueAt: Infinity,
      nextSaveAt: now + pause,
      pause: Math.min(2 * pause, maxPause),
    },
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

function isSame(one: KeptRun, other: KeptRun): boolean {
  return (
    one.kind === other.kind &&
    one.attempt === other.attempt &&
    idOf(one) === idOf(other) &&
    leftResultOf(one) === leftResultOf(other) &&
    conclusionOf(one) === conclusionOf(other)
  )
}

function conclusionOf(run: KeptRun): Conclusion | undefined {
  return run.kind === 'ended' ? run.conclusion : undefined
}

function leftResultOf(run: KeptRun): boolean {
  return 'leftResult' in run && run.leftResult === true
}

function idOf(run: KeptRun | undefined): string | undefined {
  return run && 'executionId' in run ? run.executionId : undefined
}
