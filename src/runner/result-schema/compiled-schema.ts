/** Compiles a schema and checks results in a worker, with limits for time and memory. */
import { on } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Deadline, orAbort, type Clock } from '../../clock.ts'
import { codeOf, messageOf } from '../../errors.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'

export interface WorkerContext {
  workerFile: string
  clock: Clock
}

export interface CheckBounds {
  cancelled: AbortSignal
  /** Aborts when checks must end. In a batch, this happens 60 s after the timeout. */
  until?: AbortSignal | undefined
}

/**
 * The time limits in milliseconds. The check of a result gets more time than the compilation,
 * because a worker that replaces a terminated worker must compile the schema again.
 */
export const maxCompiling = 5_000
export const maxChecking = 20_000
/**
 * The memory limit of the worker, in megabytes. JSON of 64 MiB, such as `[[[[]]]]`, needs up to 1.5
 * GiB when parsed. The limit must be higher, because above the limit a running JSON.parse ends the
 * whole process.
 */
export const maxHeap = 2_048

/** Returns the path of the worker's bundle, which is in a folder beside `bundleFolder`. */
export function workerFileIn(bundleFolder: string): string {
  return path.join(bundleFolder, '..', 'result-check', 'index.js')
}

export type ResultSchema = Pick<CompiledSchema, 'check' | typeof Symbol.dispose>

export class CompiledSchema implements Disposable {
  readonly #open: () => SchemaWorker
  readonly #clock: Clock
  #worker: SchemaWorker
  #last: Promise<unknown> = Promise.resolve()

  private constructor(open: () => SchemaWorker, clock: Clock) {
    this.#open = open
    this.#clock = clock
    this.#worker = open()
  }

  /** Returns the compiled schema, or its problems. `schema`: the schema as a JSON text. */
  static async compile(
    schema: string,
    { workerFile, clock }: WorkerContext,
  ): Promise<CompiledSchema | SchemaProblems> {
    const compiled = new CompiledSchema(() => new SchemaWorker(workerFile, schema), clock)
    using deadline = new Deadline(clock, maxCompiling, undefined, describeLate(maxCompiling))
    const problems = await compiled.#worker
      .ask(undefined, deadline.signal)
      .catch((error: unknown) => wholeProblem(`it could not be compiled: ${messageOf(error)}`))
    if (problems) compiled[Symbol.dispose]()
    return problems ?? compiled
  }

  /**
   * Returns the problems of the result in a file, or undefined. Waits for all earlier checks.
   * Rejects if the step is cancelled first.
   */
  async check(file: string, bounds: CheckBounds): Promise<SchemaProblems | undefined> {
    const check = this.#last.then(() => this.#checkNow(file, bounds))
    this.#last = check.catch(() => undefined)
    return check
  }

  async #checkNow(
    file: string,
    { cancelled, until }: CheckBounds,
  ): Promise<SchemaProblems | undefined> {
    const ends = until ? AbortSignal.any([cancelled, until]) : cancelled
    using deadline = new Deadline(this.#clock, maxChecking, ends, describeLate(maxChecking))
    try {
      deadline.signal.throwIfAborted()
      if (this.#worker.ended) {
        await orAbort(this.#worker.ended, deadline.signal)
        this.#worker = this.#open()
      }
      return await this.#worker.ask(file, deadline.signal)
    } catch (error) {
      this.#worker[Symbol.dispose]()
      cancelled.throwIfAborted()
      const why = until?.aborted
        ? 'the 60 s for checks after the timeout had passed'
        : messageOf(error)
      return { ...wholeProblem(`it could not be checked: ${why}`), isUnchecked: true }
    }
  }

  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]()
  }
}

class SchemaWorker implements Disposable {
  /** Resolves when a terminated worker's memory is free. Undefined for a worker in use. */
  ended: Promise<unknown> | undefined
  readonly #worker: Worker
  readonly #answers: AsyncIterator<[SchemaProblems | undefined]>

  constructor(workerFile: string, schema: string) {
    this.#worker = new Worker(workerFile, {
      workerData: schema,
      // The worker must not see the step's inputs, because they contain secrets.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeap },
    })
    // An idle worker must not keep the process running. During a check, a timer keeps it running.
    this.#worker.unref()
    this.#answers = on(this.#worker, 'message') as AsyncIterator<[SchemaProblems | undefined]>
  }

  /**
   * Returns the problems of the result in `file`. Without a file, returns the problems of the
   * schema. Rejects with the reason if the worker does not answer.
   */
  async ask(file: string | undefined, signal: AbortSignal): Promise<SchemaProblems | undefined> {
    this.#worker.postMessage(file)
    try {
      const answer = await orAbort(this.#answers.next(), signal)
      const [problems] = answer.value as [SchemaProblems | undefined]
      return problems
    } catch (error) {
      signal.throwIfAborted()
      throw new Error(describeExit(error), { cause: error })
    }
  }

  /** Does not wait for the worker's end, because native code such as JSON.parse delays the end. */
  [Symbol.dispose](): void {
    this.ended ??= this.#worker.terminate()
  }
}

function describeLate(span: number): string {
  return `this did not finish in ${span / 1000} s`
}

function describeExit(error: unknown): string {
  return codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    ? `this took more than ${maxHeap / 1024} GiB of memory`
    : 'the checker failed'
}
