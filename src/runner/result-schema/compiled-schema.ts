/** Compiles a schema and checks results by it, in a worker, within bounds of time and memory. */
import { on } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Deadline, orAbort, type Clock } from '../../clock.ts'
import { codeOf, messageOf } from '../../errors.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'

export interface WorkerContext {
  /** The bundle of `worker.ts`. */
  workerFile: string
  clock: Clock
}

export interface CheckBounds {
  /** Aborts when the runner cancels the step. */
  cancelled: AbortSignal
  /** After this signal, nothing is checked. In a batch, it aborts 60 s after the deadline. */
  until?: AbortSignal | undefined
}

/**
 * Milliseconds. The check of a result gets more time, because a worker that replaces an ended one
 * compiles the schema again.
 */
export const maxCompiling = 5_000
export const maxChecking = 20_000
/**
 * Megabytes. JSON of 64 MiB becomes up to 1.5 GiB (`[[[[]]]]` takes 23 times its size). That must
 * fit: the parser cannot be ended from outside, and above the limit the whole process dies.
 */
export const maxHeap = 2_048

/** The worker's bundle is in a folder beside that of the running bundle. */
export function workerFileIn(bundleFolder: string): string {
  return path.join(bundleFolder, '..', 'result-check', 'index.js')
}

/** What the actions need of a schema. */
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

  /** Returns the compiled schema, or its problems. `schema`: JSON. */
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
   * Checks the result in this file after all checks that were asked for before. Rejects if the step
   * is cancelled first.
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
  /** Undefined while the worker is used. Resolves when the memory of an ended worker is free. */
  ended: Promise<unknown> | undefined
  readonly #worker: Worker
  readonly #answers: AsyncIterator<[SchemaProblems | undefined]>

  constructor(workerFile: string, schema: string) {
    this.#worker = new Worker(workerFile, {
      workerData: schema,
      // The worker must not see the inputs of the step, which contain secrets.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeap },
    })
    // An idle worker must not keep the step running. Each question has a deadline, which does.
    this.#worker.unref()
    this.#answers = on(this.#worker, 'message') as AsyncIterator<[SchemaProblems | undefined]>
  }

  /**
   * Returns the problems of the result in this file, or those of the schema if `file` is undefined.
   * Rejects if the worker does not answer. The message says why.
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

  /** Nothing waits here for the end of the worker: native code, such as JSON.parse, delays it. */
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
