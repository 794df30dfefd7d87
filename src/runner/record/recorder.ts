/**
 * Records what this step started and how it ended, for a later attempt of the job, and says what the
 * record of an earlier attempt says. `record-state.ts` decides when to save; this loop saves.
 */
import { Deadline, type Clock } from '../../clock.ts'
import type { RecordedRun, RerunMode } from '../../execution/rerun.ts'
import { leftByAnother } from '../../messages/memory.ts'
import {
  emptyState,
  isOnRecord,
  next,
  type RecordEvent,
  type RecordState,
  type RunEnd,
} from './record-state.ts'
import type { EarlierRecord, RecordStore } from './store.ts'

// Milliseconds.
/** How long saving may delay the end of a step. */
const maxCloseTime = 3_000
/** How long close() waits for a save that is already running, if another save must follow. */
const maxWaitForRunningSave = 2_000

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
  /** Ends the wait for the next save. */
  #wake = new AbortController()
  /** The loop, while a save is due or running. */
  #saves: Promise<void> | undefined
  /** Gives up the save that is running. */
  #current: AbortController | undefined

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
    const { clock } = this.#context
    const running = this.#current
    using first = new Deadline(clock, maxWaitForRunningSave)
    using whole = new Deadline(clock, maxCloseTime)
    this.#handle({ kind: 'closed' })
    whole.signal.addEventListener('abort', () => this.#current?.abort())
    // The newest record matters most. It is certain only if the save before it has finished.
    if (this.#state.dueAt < Infinity) {
      first.signal.addEventListener('abort', () => running?.abort())
    }
    await this.#saves
  }

  #handle(event: RecordEvent): void {
    const { clock, prepare } = this.#context
    const before = this.#state
    this.#state = next(before, event, clock.now()).state
    const isFirstChange = this.#state.isChanged && !before.isChanged
    if (isFirstChange && this.#state.runs !== before.runs) prepare()
    if (this.#state.dueAt !== before.dueAt) this.#wake.abort()
    if (this.#state.dueAt < Infinity) this.#saves ??= this.#saveAll()
  }

  /** Saves one after the other, until none is due. */
  async #saveAll(): Promise<void> {
    const { clock } = this.#context
    while (this.#state.dueAt < Infinity) {
      this.#wake = new AbortController()
      const rest = this.#state.dueAt - clock.now()
      if (rest > 0) await clock.sleep(rest, this.#wake.signal).catch(() => undefined)
      else await this.#saveDue()
    }
    this.#saves = undefined
  }

  async #saveDue(): Promise<void> {
    const { clock, store } = this.#context
    const { state, save: record } = next(this.#state, { kind: 'ready' }, clock.now())
    this.#state = state
    if (!record) return
    this.#current = new AbortController()
    const isCertain = await store.save(record, this.#current.signal)
    this.#current = undefined
    this.#state = next(this.#state, { kind: 'saved', record, isCertain }, clock.now()).state
  }
}
