/** Saves the keys of records one after the other. */
import { type Clock, Deadline } from '../../clock.ts'
import {
  describeDenied,
  describeUnfinishedSave,
  describeUnsaved,
  recordTaken,
} from '../../messages/memory.ts'
import type { Log } from '../log.ts'
import type { SaveReport } from '../storage/cache-client.ts'
import type { Answer } from '../storage/step-storage.ts'

export interface RecordSaverContext {
  save: (key: string, signal: AbortSignal) => Promise<Answer<SaveReport>>
  /** A text from outside as it may be shown. */
  words: (text: string) => string
  /** What the records tell of; one execution, unless this says otherwise. */
  executions?: string
  log: Pick<Log, 'info' | 'debug'>
  clock: Clock
}

// Milliseconds. While the run is waited for there is time for the client's own retries.
const longestSave = 60_000
/** What saving may add to a step's end. */
const longestClose = 3_000

export class RecordSaver {
  readonly #context: RecordSaverContext
  readonly #said = new Set<string>()
  readonly #closed = new AbortController()
  #next: string | undefined
  /** Gives up the save that is under way. */
  #current = new AbortController()
  #work: Promise<void> | undefined

  constructor(context: RecordSaverContext) {
    this.#context = context
  }

  /**
   * Resolves once this key, or a newer one in its place, is saved or given up: only the newest of
   * those that wait is saved, since the newest decides.
   */
  async save(key: string): Promise<void> {
    this.#next = key
    this.#work ??= this.#saveAll().finally(() => (this.#work = undefined))
    await this.#work
  }

  /** Waits for what is being saved, at most 3 s; what comes later is not saved any more. */
  async close(): Promise<void> {
    const done = new AbortController()
    // The newest is what matters: one before it gets half of the time.
    if (this.#next !== undefined) this.#abortAfter(longestClose / 2, this.#current, done.signal)
    if (this.#work) this.#abortAfter(longestClose, this.#closed, done.signal)
    await this.#work
    done.abort()
    this.#closed.abort()
  }

  #abortAfter(span: number, controller: AbortController, done: AbortSignal): void {
    this.#context.clock.sleep(span, done).then(
      () => controller.abort(),
      () => undefined,
    )
  }

  async #saveAll(): Promise<void> {
    const { clock, save, log } = this.#context
    for (let key = this.#next; key !== undefined; key = this.#next) {
      this.#next = undefined
      this.#current = new AbortController()
      const closing = AbortSignal.any([this.#current.signal, this.#closed.signal])
      using deadline = new Deadline(clock, longestSave, closing)
      const before = clock.now()
      const answer = await save(key, deadline.signal)
      const problem = this.#problemIn(answer, clock.now() - before)
      if (problem === undefined) log.debug(`Saved for a re-run: ${key}`)
      else this.#say(problem)
    }
  }

  #problemIn(answer: Answer<SaveReport>, took: number): string | undefined {
    const { words, executions } = this.#context
    if (answer.kind === 'failure') return describeUnsaved(words(answer.message), executions)
    if (answer.kind === 'given-up') return this.#givenUp(answer.lastLine, took)
    const { report } = answer
    switch (report.kind) {
      case 'saved':
        return undefined
      case 'taken':
        return recordTaken
      case 'denied':
        return describeDenied(words(report.why), executions)
      case 'failed':
        return describeUnsaved(words(report.why), executions)
    }
  }

  #givenUp(lastLine: string | undefined, took: number): string {
    if (took === 0) return describeUnsaved('the step had ended', this.#context.executions)
    const lastWords = lastLine === undefined ? undefined : this.#context.words(lastLine)
    return describeUnfinishedSave(took, lastWords)
  }

  /** The same problem is told once, however many records meet it. */
  #say(text: string): void {
    if (!this.#said.has(text)) this.#context.log.info(text)
    this.#said.add(text)
  }
}
