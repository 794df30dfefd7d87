/** Compiles a schema and checks results in a worker, with limits for time and memory. */
import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Deadline, type Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
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

/** The answer of the worker. If there is no file, the problems are those of the schema. */
export interface WorkerAnswer {
  problems: SchemaProblems | undefined
  unknownFormats: readonly string[]
}

export type ResultSchema = Pick<CompiledSchema, 'check' | 'unknownFormats' | typeof Symbol.dispose>

export class CompiledSchema implements Disposable {
  /** The formats that the schema names and that are not checked. */
  unknownFormats: readonly string[] = []
  readonly #schema: string
  readonly #context: WorkerContext
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()

  private constructor(schema: string, context: WorkerContext) {
    this.#schema = schema
    this.#context = context
  }

  /** Returns the compiled schema, or its problems. `schema`: the schema as a JSON text. */
  static async compile(
    schema: string,
    context: WorkerContext,
  ): Promise<CompiledSchema | SchemaProblems> {
    const compiled = new CompiledSchema(schema, context)
    using deadline = new Deadline(
      context.clock,
      maxCompiling,
      undefined,
      describeLate(maxCompiling),
    )
    try {
      const { problems, unknownFormats } = await compiled.#ask(undefined, deadline.signal)
      if (problems) compiled[Symbol.dispose]()
      compiled.unknownFormats = unknownFormats
      return problems ?? compiled
    } catch (error) {
      return wholeProblem(`it could not be compiled: ${messageOf(error)}`)
    }
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
    using deadline = new Deadline(this.#context.clock, maxChecking, ends, describeLate(maxChecking))
    try {
      deadline.signal.throwIfAborted()
      return (await this.#ask(file, deadline.signal)).problems
    } catch (error) {
      cancelled.throwIfAborted()
      const isLate = until?.aborted === true
      return { notValidated: isLate ? afterTheBatch : messageOf(error) }
    }
  }

  /** Asks the worker. If the worker fails or the signal aborts, the next question gets a new one. */
  async #ask(file: string | undefined, signal: AbortSignal): Promise<WorkerAnswer> {
    const worker = (this.#worker ??= openWorker(this.#context.workerFile, this.#schema))
    worker.postMessage(file)
    try {
      const [answer] = (await once(worker, 'message', { signal })) as [WorkerAnswer]
      return answer
    } catch (error) {
      this[Symbol.dispose]()
      signal.throwIfAborted()
      throw error
    }
  }

  /** Does not wait until the worker has ended, because code such as JSON.parse delays the end. */
  [Symbol.dispose](): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

function openWorker(workerFile: string, schema: string): Worker {
  const worker = new Worker(workerFile, {
    workerData: schema,
    // The worker must not see the step's inputs, because they contain secrets.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeap },
  })
  // An error without a listener would end the process, also after the worker was terminated.
  worker.on('error', () => undefined)
  // An idle worker must not keep the process alive. During a check, a timer keeps it alive.
  worker.unref()
  return worker
}

const afterTheBatch = 'the 60 s for checks after the timeout had passed'

function describeLate(span: number): string {
  return `this did not finish in ${span / 1000} s`
}
