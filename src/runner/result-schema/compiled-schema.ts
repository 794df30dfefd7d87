/** Compiles a schema and checks results in a worker, with limits for time and memory. */
import { on } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Deadline, orAbort, type Clock } from '../../clock.ts'
import { codeOf, messageOf } from '../../errors.ts'
import {
  wholeProblem,
  type NotValidated,
  type SchemaProblems,
} from '../../execution/result-problems.ts'

export interface WorkerContext {
  workerFile: string
  clock: Clock
}

export interface CheckBounds {
  cancelled: AbortSignal
  /** Aborts when all checks must end. In a batch, checks must end 60 s after the timeout. */
  until?: AbortSignal | undefined
}

/**
 * The time limits in milliseconds. A check gets more time than the compilation, because a check in
 * a new worker compiles the schema again. A new worker replaces each terminated worker.
 */
export const maxCompiling = 5_000
export const maxChecking = 20_000
/**
 * The memory limit of the worker, in megabytes. Parsed JSON of 64 MiB, such as `[[[[]]]]`, needs up
 * to 1.5 GiB. The limit is higher, because a JSON.parse that exceeds the limit ends the whole
 * process.
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
   * Returns the problems of the result in a file, or undefined if there are none. Begins after all
   * earlier checks. Rejects if the step is cancelled before the check ends.
   */
  async check(
    file: string,
    bounds: CheckBounds,
  ): Promise<SchemaProblems | NotValidated | undefined> {
    const check = this.#last.then(() => this.#checkNow(file, bounds))
    this.#last = check.catch(() => undefined)
    return check
  }

  async #checkNow(
    file: string,
    { cancelled, until }: CheckBounds,
  ): Promise<SchemaProblems | NotValidated | undefined> {
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
      return {
        notValidated: until?.aborted
          ? 'the 60 s for checks after the timeout had passed'
          : messageOf(error),
      }
    }
  }

  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]()
  }
}

class SchemaWorker implements Disposable {
  /** Resolves when the memory of the terminated worker is free. Undefined for a worker in use. */
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
    // An idle worker must not keep the process alive. During a check, a timer keeps it alive.
    this.#worker.unref()
    this.#answers = on(this.#worker, 'message') as AsyncIterator<[SchemaProblems | undefined]>
  }

  /**
   * Returns the problems of the result in `file`. If `file` is undefined, returns the problems of
   * the schema. Rejects with the reason if the worker does not answer.
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

  /** Does not wait until the worker has ended, because code such as JSON.parse delays the end. */
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
