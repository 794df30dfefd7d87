/**
 * Keeps for a later attempt of the job what this step started, and that its end was told. A short
 * first run leaves nothing.
 */
import type { Clock } from '../clock.ts'
import type { Outcome } from '../execution/conclusion.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { RetryListener } from '../execution/retries.ts'
import type { OnRerun } from '../runner/inputs/again.ts'
import type { Found, Memory } from '../runner/memory/memory.ts'
import type { EarlierExecution } from '../runner/memory/record.ts'

// Milliseconds. Most runs are over by then, and a re-run of a younger one is rare.
const ageOfRecord = 20_000

const leftByAnother =
  'another step of this attempt, which looks the same, left the newest record (give each a rerun-key)'

export interface RecorderContext {
  /** Called once, when the memory is first needed. Never rejects. */
  openMemory: () => Promise<Memory>
  /** Makes ready for saving, while something else is waited for. */
  prepare: () => void
  attempt: number
  onRerun: OnRerun
  clock: Clock
}

export class Recorder implements AsyncDisposable {
  readonly #context: RecorderContext
  #memory: Promise<Memory> | undefined
  #latest: { attempt: number; executionId: string } | undefined
  /** The latest execution has a record. */
  #saved = false
  /** Nothing is left to say of the latest execution. */
  #told = false
  /** There may be an older record, which a newer execution must not leave the newest. */
  #mayBeSecond: boolean
  #young = new AbortController()

  constructor(context: RecorderContext) {
    this.#context = context
    this.#mayBeSecond = context.attempt > 1
  }

  /** What an earlier attempt left. */
  async find(): Promise<Found> {
    const found = await (await this.#open()).find()
    this.#mayBeSecond = found.kind !== 'nothing'
    // Not an earlier attempt's: another step of this one has left it, and it is not this step's.
    const isOfAnother = found.kind === 'found' && found.record.attempt >= this.#context.attempt
    return isOfAnother ? { kind: 'unreadable', why: leftByAnother } : found
  }

  /** An execution that an earlier attempt started, and that has a record, is this step's now. */
  takeOver({ kind, attempt, executionId }: Exclude<EarlierExecution, { kind: 'unknown' }>): void {
    this.#latest = { attempt, executionId }
    this.#saved = true
    this.#told = kind === 'told'
  }

  /** An execution was started. */
  started(executionId: string): void {
    const { attempt, clock, prepare } = this.#context
    this.#grown()
    this.#latest = { attempt, executionId }
    this.#saved = false
    this.#told = false
    prepare()
    if (this.#mayBeSecond) this.save()
    else {
      this.#young = new AbortController()
      clock.sleep(ageOfRecord, this.#young.signal).then(
        () => this.save(),
        () => undefined,
      )
    }
    this.#mayBeSecond = true
  }

  /** Saves that the latest execution goes on, unless that was done. */
  save(): void {
    this.#grown()
    if (this.#saved || !this.#latest) return
    this.#saved = true
    this.#remember({ kind: 'started', ...this.#latest })
  }

  /** An execution may have been started, and nobody knows its id. */
  startedUnknown(): void {
    this.#latest = undefined
    this.#remember({ kind: 'unknown', attempt: this.#context.attempt })
  }

  /** The following of an execution has ended: by its end, or without having seen one. */
  ended({ ending, executionId }: Pick<ExecutionReport, 'ending' | 'executionId'>): void {
    this.#grown()
    if (ending.kind === 'unknown-start') this.startedUnknown()
    else if (executionId !== undefined && ending.kind !== 'finished') this.save()
  }

  /** The end of the latest execution was published, and all outputs are set. */
  told(conclusion: Outcome): void {
    const isKept = this.#saved || (this.#context.onRerun === 'reuse' && conclusion === 'success')
    if (isKept && !this.#told && this.#latest) {
      this.#remember({ kind: 'told', ...this.#latest, conclusion })
    }
    this.#told = true
  }

  /** The step ends: what is not saved within 3 s is given up. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#told) this.save()
    this.#grown()
    await (await this.#open()).close()
  }

  #remember(record: EarlierExecution): void {
    void this.#open().then((memory) => memory.remember(record))
  }

  /** Also counts the step, so that equal steps of a job are told apart, whatever becomes of each. */
  #open(): Promise<Memory> {
    return (this.#memory ??= this.#context.openMemory())
  }

  #grown(): void {
    this.#young.abort()
  }
}

/** The listener of an execution on its way, which lets the recorder know too. */
export function recording(listener: RetryListener, recorder: Recorder): RetryListener {
  return {
    ...listener,
    onStarted: (answer) => {
      listener.onStarted(answer)
      recorder.started(answer.executionId)
    },
    onEnding: (report) => {
      listener.onEnding(report)
      recorder.ended(report)
    },
  }
}
