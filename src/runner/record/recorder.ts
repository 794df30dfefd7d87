/**
 * Records what a step started and how it ended, for a later attempt of the job. `record-state.ts`
 * decides when to save the record, and the loop here saves it.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../clock.ts'
import type { EarlierRun, RecordedRun, RerunMode } from '../../execution/rerun.ts'
import { savedByAnotherStep } from '../../messages/record.ts'
import type { StepRecord } from './format.ts'
import { actsAt, emptyState, next, type RecordEvent, type RecordState } from './record-state.ts'
import { continueRecord, idOf, runAfterEnd, type RecordedEnd } from './recorded-run.ts'
import type { EarlierRecord, RecordStore } from './store.ts'

export interface RecorderContext extends Pick<RecordState, 'carrier' | 'attempt' | 'onRerun'> {
  store: Pick<RecordStore, 'find' | 'save'>
  /** Loads the storage clients while the step waits for something else. */
  prepare: () => void
  clock: Clock
}

export class Recorder implements AsyncDisposable {
  readonly #context: RecorderContext
  /** What is known now. The map of a large batch is copied for a save only. */
  readonly #known: StepRecord & { runs: Map<string, RecordedRun> }
  #found: EarlierRecord = { kind: 'none' }
  #state: RecordState
  /** The loop, while a save is due or running. */
  #saves: Promise<void> | undefined
  /** Ends the sleep of the loop. */
  #wake = new AbortController()

  constructor(context: RecorderContext) {
    const { carrier, attempt, onRerun } = context
    this.#context = context
    this.#known = { attempt, isClosed: false, isReported: false, runs: new Map() }
    this.#state = emptyState({ carrier, attempt, onRerun })
  }

  /** How this attempt decides about earlier runs. Undefined if it does not ask for a record. */
  get rerunMode(): RerunMode | undefined {
    const { attempt, onRerun } = this.#context
    return attempt > 1 && onRerun !== 'start' ? onRerun : undefined
  }

  /** Reads the record of an earlier attempt, before anything is started. Takes at most 30 s. */
  async read(): Promise<EarlierRecord> {
    const { store, attempt, onRerun } = this.#context
    const newest = await store.find()
    const isOfThisAttempt = newest.kind === 'found' && newest.record.attempt >= attempt
    const found: EarlierRecord = isOfThisAttempt
      ? { kind: 'unreadable', why: savedByAnotherStep }
      : newest
    const record = found.kind === 'found' ? continueRecord(found.record, onRerun) : undefined
    for (const [name, run] of record?.runs ?? []) this.#known.runs.set(name, run)
    this.#known.isReported = record?.isReported === true
    this.#found = found
    this.#handle({ kind: 'found', record, hasOlder: found.kind !== 'none' })
    return found
  }

  /** Returns what the record of an earlier attempt says of this run. Later events do not change it. */
  earlier(name: string): EarlierRun {
    if (this.#found.kind !== 'found') return this.#found
    const { runs, isReported } = this.#found.record
    const run = runs.get(name) ?? { kind: 'none' }
    return run.kind === 'ended' && isReported ? { ...run, kind: 'reported' } : run
  }

  /** This step or an earlier attempt has started this execution of the run. */
  started(name: string, executionId: string): void {
    if (idOf(this.#known.runs.get(name)) === executionId) return
    const { attempt } = this.#context
    this.#change('started', name, { kind: 'started', attempt, executionId })
  }

  /** The run has ended, or following it has. */
  ended(name: string, end: RecordedEnd): void {
    const before = this.#known.runs.get(name)
    const run = runAfterEnd(before, end, this.#context.attempt)
    if (run && !isDeepStrictEqual(run, before)) this.#change('ended', name, run)
  }

  /** The end of the run was reported, or the end of a batch whose runs all succeeded. */
  reported(): void {
    this.#known.isReported = true
  }

  /** Whether a re-run of the job certainly finds all executions that are known now. */
  get isOnRecord(): boolean {
    const { onRerun, certain } = this.#state
    const isSaved = ([name, run]: [string, RecordedRun]) =>
      idOf(run) === idOf(certain?.runs.get(name))
    return onRerun !== 'start' && [...this.#known.runs].every(isSaved)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Makes the last save if a re-run needs it. Takes at most 3 s. */
  async close(): Promise<void> {
    if (this.#known.isClosed) return
    this.#known.isClosed = true
    this.#handle({ kind: 'closed', record: this.#record() })
    await this.#saves
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
    const before = actsAt(this.#state)
    this.#state = next(this.#state, event, this.#context.clock.now())
    const at = actsAt(this.#state)
    if (at !== before) this.#wake.abort()
    if (at < Infinity) this.#saves ??= this.#saveInTime()
  }

  /** Makes the saves that become due, one after the other. */
  async #saveInTime(): Promise<void> {
    this.#context.prepare()
    // Events of the same moment share a save.
    await Promise.resolve()
    while (actsAt(this.#state) < Infinity) {
      if (this.#rest > 0) await this.#sleep()
      else await this.#save()
    }
    this.#saves = undefined
  }

  /** Makes one save, and gives it up at the moment that the state names. */
  async #save(): Promise<void> {
    this.#handle({ kind: 'due', record: this.#record() })
    const { sending } = this.#state
    if (!sending) return
    const giveUp = new AbortController()
    const answer = this.#context.store.save(sending.record, giveUp.signal).then((saved) => {
      const { isSaved, running } = saved
      this.#handle({ kind: 'answered', isSaved, isRunning: running !== undefined })
      const settle = () => this.#handle({ kind: 'settled' })
      running?.then(settle, settle)
    })
    while (this.#state.sending && this.#rest > 0) await this.#sleep()
    giveUp.abort()
    await answer
  }

  /** Milliseconds until the next moment of the state. */
  get #rest(): number {
    return actsAt(this.#state) - this.#context.clock.now()
  }

  /** Sleeps until the next moment of the state, or until that moment changes. */
  async #sleep(): Promise<void> {
    this.#wake = new AbortController()
    await this.#context.clock.sleep(this.#rest, this.#wake.signal).catch(() => undefined)
  }
}
