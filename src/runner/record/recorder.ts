/**
 * Keeps for a later attempt of the job what this step started and what became of it, and says what
 * an earlier attempt left. A short step whose end was reported leaves nothing.
 */
import { Deadline, type Clock } from '../../clock.ts'
import { outcomes, type Conclusion } from '../../execution/conclusion.ts'
import type { RecordedRun } from '../../execution/rerun.ts'
import { leftByAnother } from '../../messages/memory.ts'
import type { OnRerun } from '../inputs/again.ts'
import { onlyRun, type KeptRun } from './format.ts'
import type { EarlierRecord, RecordStore } from './store.ts'

// Milliseconds. Most short steps are over by then.
const firstSaveAfter = 20_000
const minPause = 30_000
const maxPause = 300_000
/** What saving may add to a step's end. */
const maxCloseTime = 3_000
/** Of these, what a save may take that has begun before. */
const maxTimeOfOlder = 2_000

/** How a run ended, or how its following did. */
export interface RunEnd {
  conclusion: Conclusion
  /** Undefined where its last start got no clear answer. */
  executionId: string | undefined
  /** Whether the service kept a result. */
  leftResult?: boolean | undefined
}

export interface RecorderContext {
  store: Pick<RecordStore, 'find' | 'save'>
  /** Makes ready for saving, while something else is waited for. */
  prepare: () => void
  attempt: number
  onRerun: OnRerun
  /** The names of all runs of this step. */
  names: readonly string[]
  clock: Clock
}

export class Recorder implements AsyncDisposable {
  readonly #context: RecorderContext
  #found: EarlierRecord = { kind: 'none' }
  #runs = new Map<string, KeptRun>()
  /** A newer record has to take the place of one that is, or may be, in the cache. */
  #hasOlder: boolean
  /** The newest record leaves open what was started after it. Of one run none does. */
  #isNewestOpen = false
  #isReported = false
  #isClosed = false
  /** What the cache has for certain. */
  #savedRuns: ReadonlyMap<string, KeptRun> = new Map()
  /** Since it was last saved. */
  #isChanged = false
  /** When the next save is due; Infinity where none is. */
  #dueAt = Infinity
  /** For changes that can wait. */
  #nextSaveAt: number | undefined
  #pause = minPause
  /** Ends the wait for what is due. */
  #wake = new AbortController()
  #saves: Promise<void> | undefined
  /** Gives up the save that is under way. */
  #current: AbortController | undefined

  constructor(context: RecorderContext) {
    this.#context = context
    this.#hasOlder = context.attempt > 1
  }

  /** Whether an earlier attempt may have left what this one has to know. */
  get isAsked(): boolean {
    return this.#context.attempt > 1 && this.#context.onRerun !== 'start'
  }

  /**
   * Reads what an earlier attempt left, where {@link isAsked}; before anything is started. Takes at
   * most 30 s.
   */
  async read(): Promise<EarlierRecord> {
    const { attempt, onRerun, store } = this.#context
    const found = await store.find()
    this.#hasOlder = found.kind !== 'none'
    // Not an earlier attempt's: another step of this one has left it, and it is not this step's.
    const isOfAnother = found.kind === 'found' && found.record.attempt >= attempt
    this.#found = isOfAnother ? { kind: 'unreadable', why: leftByAnother } : found
    if (this.#found.kind !== 'found') return this.#found
    const { record } = this.#found
    this.#isNewestOpen = !record.isClosed
    this.#isReported = record.isReported && onRerun === 'reuse'
    // Runs that the last list of a batch did not have may go on.
    const isOver = record.isReported && !this.#isReported
    this.#runs = new Map([...record.runs].filter(([, { kind }]) => !isOver || kind !== 'ended'))
    this.#savedRuns = record.runs
    return this.#found
  }

  /** What the record of an earlier attempt says of this run, whatever has become of it since. */
  earlier(name: string): RecordedRun {
    if (this.#found.kind !== 'found') return this.#found
    const { runs, isReported } = this.#found.record
    const run = runs.get(name)
    if (!run) return { kind: 'none' }
    return run.kind === 'ended' && isReported ? { ...run, kind: 'reported' } : run
  }

  /** An execution of this run is known: it was started, or is one that an earlier attempt started. */
  started(name: string, executionId: string): void {
    const before = this.#runs.get(name)
    if (idOf(before) === executionId) return
    const { attempt, clock, names } = this.#context
    this.#set(name, { kind: 'started', attempt, executionId })
    // Of one run a re-run must find the execution that goes on, not the one before it.
    if (this.#hasOlder && names.length === 1) this.#saveAt(clock.now())
    else this.#saveInTime()
  }

  /** The following of a run has ended. */
  ended(name: string, end: RunEnd): void {
    const before = this.#runs.get(name)
    // An execution that an earlier attempt started remains its.
    const isKnown = before && idOf(before) === end.executionId
    const wasLeft = isKnown && leftBy(before) === true
    const kept = wasLeft ? { ...end, leftResult: true } : end
    const run = runOf(kept, isKnown ? before.attempt : this.#context.attempt)
    // No end was seen now: one that was seen before stays known, with what it left.
    if (!run || (isKnown && run.kind === 'started')) return
    // As it would be written: most runs of an earlier attempt are handed on as they were.
    if (JSON.stringify(before) === JSON.stringify(run)) return
    this.#set(name, run)
    this.#saveInTime()
  }

  /** The end of the run, or of all runs of a batch with success, was reported. */
  reported(): void {
    if (!this.#isReported) this.#isChanged = true
    this.#isReported = true
  }

  /** Saves now what has changed. */
  save(): void {
    if (this.#isChanged) this.#saveAt(this.#context.clock.now())
  }

  /** Whether a re-run of the job finds all executions that are known by now, for certain. */
  get isOnRecord(): boolean {
    const runs = [...this.#runs]
    const isSaved = runs.every(([name, run]) => idOf(run) === idOf(this.#savedRuns.get(name)))
    return this.#context.onRerun !== 'start' && isSaved
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Nothing follows that has to be recorded: what is not saved within 3 s is given up. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const { clock, onRerun } = this.#context
    const runs = [...this.#runs.values()]
    const hasSuccess = runs.some((run) => run.kind === 'ended' && run.conclusion === 'success')
    const isKept = !this.#isReported || this.#hasOlder || (onRerun === 'reuse' && hasSuccess)
    const isDue = runs.length > 0 && isKept && (this.#isChanged || this.#isNewestOpen)
    const before = this.#current
    using first = new Deadline(clock, maxTimeOfOlder)
    using whole = new Deadline(clock, maxCloseTime)
    whole.signal.addEventListener('abort', () => this.#current?.abort())
    // The newest is what matters: one under way gets a part of the time, in which it mostly ends.
    // Sent while that one goes on, the newest would not be certain.
    if (isDue) first.signal.addEventListener('abort', () => before?.abort())
    this.#dueAt = Infinity
    this.#wake.abort()
    if (isDue) this.#saveAt(clock.now())
    await this.#saves
  }

  #set(name: string, run: KeptRun): void {
    if (!this.#isChanged) this.#context.prepare()
    this.#isChanged = true
    this.#isReported = false
    this.#runs.set(name, run)
  }

  #saveInTime(): void {
    const now = this.#context.clock.now()
    // Where there is an older record, one that may be closed, it must not stay the newest.
    this.#nextSaveAt ??= now + (this.#hasOlder ? 0 : firstSaveAfter)
    if (this.#dueAt === Infinity && !this.#isClosed) this.#saveAt(this.#nextSaveAt)
  }

  #saveAt(moment: number): void {
    this.#dueAt = moment
    this.#wake.abort()
    this.#saves ??= this.#saveAll()
  }

  /** One after the other, until nothing is due. */
  async #saveAll(): Promise<void> {
    const { clock } = this.#context
    while (this.#dueAt < Infinity) {
      this.#wake = new AbortController()
      const rest = this.#dueAt - clock.now()
      if (rest > 0) await clock.sleep(rest, this.#wake.signal).catch(() => undefined)
      else await this.#saveNow()
    }
    this.#saves = undefined
  }

  async #saveNow(): Promise<void> {
    const { attempt, clock, names, store } = this.#context
    this.#dueAt = Infinity
    this.#isChanged = false
    this.#hasOlder = true
    this.#isNewestOpen = !this.#isClosed && !names.includes(onlyRun)
    this.#nextSaveAt = clock.now() + this.#pause
    this.#pause = Math.min(2 * this.#pause, maxPause)
    this.#current = new AbortController()
    const runs = new Map(this.#runs)
    const record = { attempt, isClosed: this.#isClosed, isReported: this.#isReported, runs }
    if (await store.save(record, this.#current.signal)) this.#savedRuns = runs
    else this.#isChanged = true
    this.#current = undefined
  }
}

/** Undefined where nothing new is known: an earlier start of it may have been accepted. */
function runOf(
  { conclusion, executionId, leftResult }: RunEnd,
  attempt: number,
): KeptRun | undefined {
  if (conclusion === 'refused' || conclusion === 'not-started') return undefined
  if (executionId === undefined) {
    return conclusion === 'unknown' ? { kind: 'start-unknown', attempt } : undefined
  }
  const outcome = outcomes.find((each) => each === conclusion)
  return outcome === undefined
    ? { kind: 'started', attempt, executionId }
    : {
        kind: 'ended',
        attempt,
        executionId,
        conclusion: outcome,
        ...(leftResult && { leftResult }),
      }
}

/** A result that was there once may be lost; it is not one that never was. */
function leftBy(run: KeptRun): boolean | undefined {
  return 'leftResult' in run ? run.leftResult : undefined
}

function idOf(run: KeptRun | undefined): string | undefined {
  return run && 'executionId' in run ? run.executionId : undefined
}
