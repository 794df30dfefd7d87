/** Checks schemas and results in a thread of their own, within bounds of time and memory. */
import { on } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Deadline, orAbort, type Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { codeOf } from '../../errors.ts'

export interface CheckerContext {
  /** The bundle of `worker.ts`. */
  workerFile: string
  clock: Clock
  cancelled: AbortSignal
}

// Milliseconds. A schema may compile on a slower machine, or beside others, when a paid result waits
// for its check: what is accepted leaves room for that.
const maxCompiling = 5_000
const maxChecking = 20_000
/**
 * Megabytes. JSON of 64 MiB becomes up to 1.5 GiB (`[[[[]]]]` 23 times its size, measured), and must stay
 * below: what parses it can't be ended meanwhile, and past the limit all of the process dies with it.
 */
const maxHeap = 2_048

/** Beside the running bundle. */
export function workerFileIn(bundleFolder: string): string {
  return path.join(bundleFolder, '..', 'result-check', 'index.js')
}

/** Returns what is wrong with a schema, which is JSON; undefined if nothing is. */
export async function findSchemaProblems(
  schema: string,
  { workerFile, clock }: Pick<CheckerContext, 'workerFile' | 'clock'>,
): Promise<SchemaProblems | undefined> {
  using thread = new CheckThread(workerFile, schema)
  using deadline = new Deadline(clock, maxCompiling, undefined, describeLate(maxCompiling))
  try {
    return await thread.ask(undefined, deadline.signal)
  } catch (error) {
    return wholeProblem(`it could not be compiled: ${messageOf(error)}`)
  }
}

/** Checks results by one schema, one after the other. */
export class ResultChecker implements Disposable {
  readonly #schema: string
  readonly #context: CheckerContext
  #thread: CheckThread
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Begins to compile the schema, so that it is ready when a result is there.
   * `schema`: one that {@link findSchemaProblems} has nothing against.
   */
  constructor(schema: string, context: CheckerContext) {
    this.#schema = schema
    this.#context = context
    this.#thread = this.#open()
  }

  /**
   * Checks the result in this file when its turn has come. Rejects if the step is cancelled first.
   * `until`: after it, nothing is checked; in a batch, it comes 60 s after the deadline.
   */
  async check(file: string, until?: AbortSignal): Promise<SchemaProblems | undefined> {
    const check = this.#last.then(() => this.#checkNow(file, until))
    this.#last = check.catch(() => undefined)
    return check
  }

  async #checkNow(file: string, until?: AbortSignal): Promise<SchemaProblems | undefined> {
    const { clock, cancelled } = this.#context
    const ends = until ? AbortSignal.any([cancelled, until]) : cancelled
    using deadline = new Deadline(clock, maxChecking, ends, describeLate(maxChecking))
    try {
      deadline.signal.throwIfAborted()
      if (this.#thread.ended) {
        await orAbort(this.#thread.ended, deadline.signal)
        this.#thread = this.#open()
      }
      return await this.#thread.ask(file, deadline.signal)
    } catch (error) {
      this.#thread[Symbol.dispose]()
      cancelled.throwIfAborted()
      const why = until?.aborted
        ? 'the 60 s for checks after the timeout were over'
        : messageOf(error)
      const problems = wholeProblem(`it could not be checked: ${why}`)
      return { ...problems, isUnchecked: true }
    }
  }

  #open(): CheckThread {
    return new CheckThread(this.#context.workerFile, this.#schema)
  }

  [Symbol.dispose](): void {
    this.#thread[Symbol.dispose]()
  }
}

class CheckThread implements Disposable {
  /** Once the thread was told to end: resolves when its memory is free. */
  ended: Promise<unknown> | undefined
  readonly #worker: Worker
  readonly #answers: AsyncIterator<[SchemaProblems | undefined]>

  constructor(workerFile: string, schema: string) {
    this.#worker = new Worker(workerFile, {
      workerData: schema,
      // The inputs of the step, secrets among them, are none of its business.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeap },
    })
    // Whoever waits for it has a deadline, which keeps the program alive.
    this.#worker.unref()
    this.#answers = on(this.#worker, 'message') as AsyncIterator<[SchemaProblems | undefined]>
  }

  /**
   * What is wrong with the result in this file, or else with the schema. Rejects, with why as the
   * message, where no answer comes.
   */
  async ask(file: string | undefined, signal: AbortSignal): Promise<SchemaProblems | undefined> {
    this.#worker.postMessage(file)
    try {
      const answer = await orAbort(this.#answers.next(), signal)
      const [problems] = answer.value as [SchemaProblems | undefined]
      return problems
    } catch (error) {
      signal.throwIfAborted()
      throw new Error(describeEnd(error), { cause: error })
    }
  }

  /** Nobody waits here for the end of the thread: native code, such as JSON.parse, delays it. */
  [Symbol.dispose](): void {
    this.ended ??= this.#worker.terminate()
  }
}

function describeLate(span: number): string {
  return `that did not finish in ${span / 1000} s`
}

function describeEnd(error: unknown): string {
  return codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    ? `that took more than ${maxHeap / 1024} GiB of memory`
    : 'the checker failed'
}
