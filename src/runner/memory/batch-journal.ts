/**
 * The journal of a batch: what an earlier attempt of the job left of each seed, and what this one
 * leaves. The engine's hooks feed it; when it is saved is decided here.
 */
import type { Clock } from '../../clock.ts'
import type { BatchReport } from '../../execution/batch/batch.ts'
import type { RunRecord } from '../../execution/batch/record.ts'
import type { BatchSeed } from '../../execution/batch/seed-list.ts'
import type { RecordedRun } from '../../execution/rerun.ts'
import type { BatchRecall } from '../../messages/batch/rerun.ts'
import type { OnRerun } from '../inputs/again.ts'
import { type Journal, type JournalRun, nameOf } from './journal-format.ts'
import { countFound, isSameRun, runOf } from './journal-runs.ts'
import type { JournalStore } from './journal-store.ts'

// Milliseconds. Most short batches are over by then, and leave nothing where all succeeded.
const firstSaveAfter = 20_000
const shortestPause = 30_000
const longestPause = 300_000

export interface BatchJournalContext {
  /** Of this step's shard. */
  seeds: readonly BatchSeed[]
  attempt: number
  onRerun: OnRerun
  /** How many executions may follow the first one of a run. */
  retries: number
  clock: Clock
  /** Called once, when it is first needed. Never rejects. */
  openStore: () => Promise<JournalStore>
  /** Makes ready for saving, while something else is waited for. */
  prepare: () => void
}

export class BatchJournal implements AsyncDisposable {
  readonly #context: BatchJournalContext
  /** As an earlier attempt left them: what follows does not change what is done about a seed. */
  #left: ReadonlyMap<string, JournalRun> = new Map()
  #runs = new Map<string, JournalRun>()
  #store: Promise<JournalStore> | undefined
  /** A newer one has to take the place of one that is, or may be, in the cache. */
  #hasOlder: boolean
  /** An earlier attempt may have started runs that no journal knows. */
  #hasGaps = false
  #isChanged = false
  #wasComplete = false
  #isComplete = false
  #isClosed = false
  readonly #ended = new AbortController()
  #waits = false
  #nextSaveAt: number | undefined
  #pause = shortestPause

  constructor(context: BatchJournalContext) {
    this.#context = context
    this.#hasOlder = context.attempt > 1
  }

  /** What an earlier attempt left; before anything is started. Takes at most 10 s. */
  async recall(): Promise<BatchRecall> {
    const { attempt, onRerun, seeds, retries } = this.#context
    if (attempt === 1 || onRerun === 'start') return { kind: 'not-asked' }
    const found = await (await this.#open()).find()
    this.#hasOlder = found.kind !== 'nothing'
    this.#hasGaps = found.kind === 'unreadable'
    if (found.kind !== 'found') return found
    const { journal } = found
    if (journal.complete && onRerun !== 'reuse') {
      return { kind: 'complete', attempt: journal.attempt }
    }
    this.#left = journal.runs
    this.#runs = new Map(journal.runs)
    this.#wasComplete = journal.complete
    this.#hasGaps = !journal.closed
    return countFound(journal, seeds, retries)
  }

  /** The engine's `plan.recorded`. */
  recorded(seed: BatchSeed): RecordedRun {
    const run = this.#left.get(nameOf(seed))
    if (run === undefined) return { kind: 'none' }
    if (!('executionId' in run)) return { kind: 'start-unknown' }
    const { state, executionId } = run
    if (state === 'running') return { kind: 'started', executionId }
    const kind = this.#wasComplete ? 'reported' : 'ended'
    return { kind, executionId, conclusion: state }
  }

  /** The engine's `onStarted`. */
  started(seed: BatchSeed, executionId: string): void {
    const before = this.#runs.get(nameOf(seed))
    const isKnown = before && 'executionId' in before && before.executionId === executionId
    if (!isKnown) this.#set(seed, { state: 'running', executionId })
  }

  /** The engine's `onEnded`. */
  ended(seed: BatchSeed, record: RunRecord): void {
    const run = runOf(record)
    if (run) this.#set(seed, run)
  }

  /** The batch is over, its outputs are set, and the step passes or fails as `report` has it. */
  told({ conclusion, failing }: Pick<BatchReport, 'conclusion' | 'failing'>): void {
    this.#isComplete = conclusion === 'success' && failing === 0
  }

  /** The step ends: what is not saved within 3 s is given up. */
  async [Symbol.asyncDispose](): Promise<void> {
    const isChanged = this.#isChanged || this.#isComplete !== this.#wasComplete
    const leavesNothing = this.#isComplete && !this.#hasOlder && this.#context.onRerun !== 'reuse'
    this.#ended.abort()
    this.#isClosed = true
    if (isChanged && this.#runs.size > 0 && !leavesNothing) this.#save()
    await (await this.#open()).close()
  }

  #set(seed: BatchSeed, run: JournalRun): void {
    if (isSameRun(this.#runs.get(nameOf(seed)), run)) return
    this.#runs.set(nameOf(seed), run)
    if (!this.#isChanged) this.#context.prepare()
    this.#isChanged = true
    this.#saveInTime()
  }

  #saveInTime(): void {
    const { clock } = this.#context
    if (this.#waits) return
    this.#waits = true
    // Where there is an older journal, one that may be closed, it must not stay the newest.
    this.#nextSaveAt ??= clock.now() + (this.#hasOlder ? 0 : firstSaveAfter)
    clock.sleep(this.#nextSaveAt - clock.now(), this.#ended.signal).then(
      () => this.#save(),
      () => undefined,
    )
  }

  #save(): void {
    this.#waits = false
    this.#hasOlder = true
    this.#nextSaveAt = this.#context.clock.now() + this.#pause
    this.#pause = Math.min(2 * this.#pause, longestPause)
    void this.#open().then((store) => store.save(() => this.#journal()))
  }

  #journal(): Journal {
    const { attempt, seeds } = this.#context
    // A seed that is known was started anew, or need not be: others may have been started before.
    const hasGaps = this.#hasGaps && seeds.some((seed) => !this.#runs.has(nameOf(seed)))
    const closed = this.#isClosed && !hasGaps
    return { attempt, closed, complete: this.#isComplete, runs: this.#runs }
  }

  /** Also counts the step, so that equal steps of a job are told apart, whatever becomes of each. */
  #open(): Promise<JournalStore> {
    return (this.#store ??= this.#context.openStore())
  }
}
