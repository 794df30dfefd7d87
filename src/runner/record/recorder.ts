/**
 * Records which executions a step started and how these executions ended, for a later attempt of
 * the job. `record-state.ts` decides when to save the record. This file saves the record.
 */
import { isDeepStrictEqual } from 'node:util'
import { orAbort, type Clock } from '../../clock.ts'
import type { EarlierRun, RerunMode } from '../../execution/begin.ts'
import { savedByAnotherStep } from '../../messages/record-problems.ts'
import {
  continueRecord,
  idOf,
  runAfterEnd,
  type RecordedEnd,
  type RecordedRun,
  type StepRecord,
} from './record.ts'
import {
  nextActionAt,
  emptyState,
  next,
  type RecordEvent,
  type RecordSettings,
  type RecordState,
} from './record-state.ts'
import type { EarlierRecord, RecordStore } from './record-store.ts'

export interface RecorderContext extends RecordSettings {
  store: Pick<RecordStore, 'find' | 'save'>
  /** Begins to load the storage clients, so that they are ready for the first save. */
  prepare: () => void
  clock: Clock
  /** Aborts when the runner's signal reaches the step. */
  cancelled: AbortSignal
}

export class Recorder implements AsyncDisposable {
  readonly #context: RecorderContext
  /** The current content of the record. A copy can be large, so copies are made only for saves. */
  readonly #known: StepRecord & { runs: Map<string, RecordedRun> }
  #found: EarlierRecord = { kind: 'none' }
  #state: RecordState
  /** The loop that makes the saves. Undefined while no save is planned. */
  #saving: Promise<void> | undefined
  /** Wakes the loop that makes the saves. */
  #wake = new AbortController()

  constructor(context: RecorderContext) {
    const { form, ownAttempt, onRerun } = context
    this.#context = context
    this.#known = { savedBy: ownAttempt, isFinal: false, isReported: false, runs: new Map() }
    this.#state = emptyState({ form, ownAttempt, onRerun })
    const cancel = () => this.#handle({ kind: 'cancelled' })
    if (context.cancelled.aborted) cancel()
    else context.cancelled.addEventListener('abort', cancel, { once: true })
  }

  /** The input `on-rerun`. Undefined if this attempt does not read an earlier record. */
  get rerunMode(): RerunMode | undefined {
    const { ownAttempt, onRerun } = this.#context
    return ownAttempt > 1 && onRerun !== 'start' ? onRerun : undefined
  }

  /** Reads the record of an earlier attempt. Takes at most 30 s. Call this before any start. */
  async read(): Promise<EarlierRecord> {
    const { store, ownAttempt, onRerun } = this.#context
    const newest = await store.find()
    const isOfThisAttempt = newest.kind === 'found' && newest.record.savedBy >= ownAttempt
    const found: EarlierRecord = isOfThisAttempt
      ? { kind: 'unreadable', why: savedByAnotherStep }
      : newest
    const record = found.kind === 'found' ? continueRecord(found.record, onRerun) : undefined
    for (const [name, run] of record?.runs ?? []) this.#known.runs.set(name, run)
    this.#known.isReported = record?.isReported === true
    this.#found = found
    this.#handle({ kind: 'found', record, mayBeInCache: found.kind !== 'none' })
    return found
  }

  /** Returns what an earlier attempt recorded about a run. Ignores events of this attempt. */
  earlier(name: string): EarlierRun {
    if (this.#found.kind !== 'found') return this.#found
    const { runs, isReported } = this.#found.record
    const run = runs.get(name)
    if (!run) return { kind: 'none' }
    if (run.kind === 'unclear') return run
    return { ...run, isEndReported: isReported && run.outcome !== undefined }
  }

  /** Records an execution that this step has started. Does nothing if the record has it already. */
  started(name: string, executionId: string): void {
    if (idOf(this.#known.runs.get(name)) === executionId) return
    const { ownAttempt: attempt } = this.#context
    const startedAt = this.#time
    this.#change('started', name, { kind: 'known', attempt, executionId, startedAt })
  }

  /** Records how a run ended, as far as this step knows. */
  ended(name: string, end: RecordedEnd): void {
    const before = this.#known.runs.get(name)
    const run = runAfterEnd(before, end, this.#context.ownAttempt, this.#time)
    if (run && !isDeepStrictEqual(run, before)) this.#change('ended', name, run)
  }

  /**
   * Saves the final record, with the note that the outputs and results of all runs were written. If
   * the step is cancelled during this save, the note is taken back, and the next {@link close} saves
   * the record again.
   */
  async reported(cancelled: AbortSignal): Promise<void> {
    this.#known.isReported = true
    await orAbort(this.close(), cancelled).catch(() => undefined)
    if (!cancelled.aborted) return
    this.#known.isReported = false
    this.#known.isFinal = false
  }

  /** True if a re-run of the job certainly finds all executions that are known now. */
  get isOnRecord(): boolean {
    const { onRerun, certain, unsettled } = this.#state
    // A save that was given up and is still running may arrive late, and count as the newest.
    if (onRerun === 'start' || unsettled > 0) return false
    // A re-run does not take over a run whose end counts as reported.
    if (certain?.isReported && !this.#known.isReported) return false
    const isSaved = ([name, run]: [string, RecordedRun]) =>
      idOf(run) === idOf(certain?.runs.get(name))
    return [...this.#known.runs].every(isSaved)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Saves the final record if a re-run needs it. Takes at most 30 s, and ends 5 s after a signal at
   * the latest.
   */
  async close(): Promise<void> {
    if (!this.#known.isFinal) {
      this.#known.isFinal = true
      this.#handle({ kind: 'closed', record: this.#record() })
    }
    await this.#saving
  }

  get #time(): number {
    return this.#context.clock.date().getTime()
  }

  #change(kind: 'started' | 'ended', name: string, run: RecordedRun): void {
    this.#known.runs.set(name, run)
    this.#known.isReported = false
    this.#handle({ kind })
  }

  #record(): StepRecord {
    return { ...this.#known, runs: new Map(this.#known.runs) }
  }

  #handle(event: RecordEvent): void {
    const before = nextActionAt(this.#state)
    this.#state = next(this.#state, event, this.#context.clock.now())
    const at = nextActionAt(this.#state)
    if (at !== before) this.#wake.abort()
    if (at < Infinity) this.#saving ??= this.#saveInTime()
  }

  /** Makes each save when the save is due. Returns when no further save is planned. */
  async #saveInTime(): Promise<void> {
    this.#context.prepare()
    // Waits for other events of the same moment, so that one save is enough for all of them.
    await Promise.resolve()
    while (nextActionAt(this.#state) < Infinity) {
      if (this.#untilNextAction > 0) await this.#sleepUntilDueOrWoken()
      else await this.#save()
    }
    this.#saving = undefined
  }

  /** Makes one save, and gives up when the time limit of the save ends. */
  async #save(): Promise<void> {
    this.#handle({ kind: 'due', record: this.#record() })
    const { sending } = this.#state
    if (!sending) return
    const giveUp = new AbortController()
    const answer = this.#context.store.save(sending.record, giveUp.signal).then((saved) => {
      const { isSaved, running } = saved
      this.#handle({ kind: isSaved ? 'saved' : 'failed', isRunning: running !== undefined })
      const endLate = () => this.#handle({ kind: 'ended-late' })
      running?.then(endLate, endLate)
    })
    while (this.#state.sending && this.#untilNextAction > 0) await this.#sleepUntilDueOrWoken()
    giveUp.abort()
    await answer
  }

  /** Milliseconds until the next save must begin or the running save must stop. */
  get #untilNextAction(): number {
    return nextActionAt(this.#state) - this.#context.clock.now()
  }

  /**
   * Sleeps until the next save must begin or the running save must stop. Each event that changes
   * this time, such as the answer to a save, ends the sleep ({@link #handle}).
   */
  async #sleepUntilDueOrWoken(): Promise<void> {
    this.#wake = new AbortController()
    await this.#context.clock.sleep(this.#untilNextAction, this.#wake.signal).catch(() => undefined)
  }
}
