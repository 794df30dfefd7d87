/**
 * Records what this step started and how it ended, for a later attempt of the job, and says what the
 * record of an earlier attempt says. `record-state.ts` decides when to save; this loop saves.
 */
import type { Clock } from '../../clock.ts'
import type { RecordedRun, RerunMode } from '../../execution/rerun.ts'
import { leftByAnother } from '../../messages/memory.ts'
import type { StepRecord } from './format.ts'
import {
  actsAt,
  emptyState,
  isOnRecord,
  next,
  type RecordEvent,
  type RecordState,
  type RunEnd,
} from './record-state.ts'
import type { EarlierRecord, RecordStore } from './store.ts'

export interface RecorderContext extends Pick<RecordState, 'carrier' | 'attempt' | 'onRerun'> {
  store: Pick<RecordStore, 'find' | 'save'>
  /** Loads what saving needs, while the step waits for something else. */
  prepare: () => void
  clock: Clock
}

export class Recorder implements AsyncDisposable {
  readonly #context: RecorderContext
  #found: EarlierRecord = { kind: 'none' }
  #state: RecordState
  /** Ends the sleep of the loop: the next moment is another one now. */
  #wake = new AbortController()
  /** The loop, and whether it is running: while a save is due or being made. */
  #saves: Promise<void> | undefined
  #isSaving = false
  /** The save that is running, and what gives it up. */
  #answer: Promise<void> | undefined
  #giveUp = new AbortController()

  constructor(context: RecorderContext) {
    this.#context = context
    this.#state = emptyState(context)
  }

  /** How this attempt decides about earlier runs. Undefined if it does not ask for a record. */
  get rerunMode(): RerunMode | undefined {
    const { attempt, onRerun } = this.#context
    return attempt > 1 && onRerun !== 'start' ? onRerun : undefined
  }

  /** Reads the record of an earlier attempt, before anything is started. Takes at most 30 s. */
  async read(): Promise<EarlierRecord> {
    const found = await this.#context.store.find()
    // Another step of this attempt saved it.
    const isOfAnother = found.kind === 'found' && found.record.attempt >= this.#context.attempt
    this.#found = isOfAnother ? { kind: 'unreadable', why: leftByAnother } : found
    const record = this.#found.kind === 'found' ? this.#found.record : undefined
    this.#handle({ kind: 'found', record, hasOlder: found.kind !== 'none' })
    return this.#found
  }

  /** What the record of an earlier attempt says of this run, whatever has happened to the run since. */
  earlier(name: string): RecordedRun {
    if (this.#found.kind !== 'found') return this.#found
    const { runs, isReported } = this.#found.record
    const run = runs.get(name)
    if (!run) return { kind: 'none' }
    return run.kind === 'ended' && isReported ? { ...run, kind: 'reported' } : run
  }

  /** An execution of this run is known: this step or an earlier attempt started it. */
  started(name: string, executionId: string): void {
    this.#handle({ kind: 'started', name, executionId })
  }

  /** Following the run has ended. */
  ended(name: string, end: RunEnd): void {
    this.#handle({ kind: 'ended', name, end })
  }

  /** The end of the run was reported, or a whole batch succeeded and was reported. */
  reported(): void {
    this.#handle({ kind: 'reported' })
  }

  /** Saves now what has changed. */
  save(): void {
    this.#handle({ kind: 'save-requested' })
  }

  /** Whether a re-run of the job finds all executions that are known by now, for certain. */
  get isOnRecord(): boolean {
    return isOnRecord(this.#state)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Makes the last save if one is due. A save that takes longer than 3 s is given up. */
  async close(): Promise<void> {
    if (this.#state.isClosed) return
    this.#handle({ kind: 'closed' })
    await this.#saves
  }

  #handle(event: RecordEvent): void {
    const { clock, prepare } = this.#context
    const before = this.#state
    const { state, save } = next(before, event, clock.now())
    this.#state = state
    if (state.runs !== before.runs) prepare()
    if (save) this.#answer = this.#save(save)
    if (actsAt(state) !== actsAt(before)) this.#wake.abort()
    if (actsAt(state) < Infinity && !this.#isSaving) this.#saves = this.#saveInTime()
  }

  /** Begins saves, one after the other, and gives them up, at the moments that the state names. */
  async #saveInTime(): Promise<void> {
    const { clock } = this.#context
    this.#isSaving = true
    while (actsAt(this.#state) < Infinity) {
      this.#wake = new AbortController()
      const rest = actsAt(this.#state) - clock.now()
      if (rest > 0) await clock.sleep(rest, this.#wake.signal).catch(() => undefined)
      else if (this.#state.sending) {
        this.#giveUp.abort()
        await this.#answer
      } else this.#handle({ kind: 'ready' })
    }
    this.#isSaving = false
  }

  async #save(record: StepRecord): Promise<void> {
    this.#giveUp = new AbortController()
    const { isSaved, running } = await this.#context.store.save(record, this.#giveUp.signal)
    this.#handle({ kind: 'answered', isSaved, isRunning: running !== undefined })
    const settle = () => this.#handle({ kind: 'settled' })
    running?.then(settle, settle)
  }
}
