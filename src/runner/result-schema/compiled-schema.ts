/** Compiles a schema and validates results in a worker, with limits for time and memory. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Deadline, type Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import {
  wholeProblem,
  type NotValidated,
  type SchemaProblems,
} from '../../execution/result-problems.ts'

/**
 * The time limits in milliseconds. A validation gets more time than the compilation, because it
 * compiles the schema again in a new worker. A new worker replaces each terminated worker.
 */
export const maxCompiling = 5_000
export const maxValidating = 20_000
/**
 * The memory limit of the worker, in megabytes. Parsed JSON of 64 MiB, such as `[[[[]]]]`, needs up
 * to 1.5 GiB. The limit is higher, because a JSON.parse that exceeds the limit ends the whole
 * process.
 */
export const maxHeap = 2_048

/** The answer of the worker. If there is no file, the problems are those of the schema. */
export interface WorkerAnswer {
  problems: SchemaProblems | undefined
  unknownFormats: readonly string[]
}

export type ResultSchema = Pick<
  CompiledSchema,
  'validate' | 'unknownFormats' | typeof Symbol.dispose
>

export class CompiledSchema implements Disposable {
  /** The formats that the schema names and that are not checked. */
  unknownFormats: readonly string[] = []
  readonly #schema: string
  readonly #workerFile: string
  readonly #clock: Clock
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()

  private constructor(schema: string, workerFile: string, clock: Clock) {
    this.#schema = schema
    this.#workerFile = workerFile
    this.#clock = clock
  }

  /**
   * Returns the compiled schema, or its problems. `schema`: the schema as a JSON text. `workerFile`:
   * the bundle of `worker.ts`.
   */
  static async compile(
    schema: string,
    workerFile: string,
    clock: Clock,
  ): Promise<CompiledSchema | SchemaProblems> {
    const compiled = new CompiledSchema(schema, workerFile, clock)
    try {
      const { problems, unknownFormats } = await compiled.#ask(undefined, maxCompiling)
      compiled.unknownFormats = unknownFormats
      if (!problems) return compiled
      compiled[Symbol.dispose]()
      return problems
    } catch (error) {
      return wholeProblem(`it could not be compiled: ${messageOf(error)}`)
    }
  }

  /**
   * Returns the problems of the result in a file, or undefined if there are none. Begins after all
   * earlier validations. Rejects if the step is cancelled before the validation ends. `until` aborts
   * when all validations must end: in a batch, 60 s after the timeout.
   */
  validate(
    file: string,
    cancelled: AbortSignal,
    until = cancelled,
  ): Promise<SchemaProblems | NotValidated | undefined> {
    const ends = AbortSignal.any([cancelled, until])
    const validation = this.#last.then(async () => {
      try {
        return (await this.#ask(file, maxValidating, ends)).problems
      } catch (error) {
        cancelled.throwIfAborted()
        return { notValidated: until.aborted ? afterTheBatch : messageOf(error) }
      }
    })
    this.#last = validation.catch(() => undefined)
    return validation
  }

  /**
   * Asks the worker. Rejects after `span` milliseconds, if `ends` aborts, or if the worker fails.
   * Then the next question gets a new worker.
   */
  async #ask(file: string | undefined, span: number, ends?: AbortSignal): Promise<WorkerAnswer> {
    const late = `this did not finish in ${span / 1000} s`
    using deadline = new Deadline(this.#clock, span, ends, late)
    const { signal } = deadline
    signal.throwIfAborted()
    const worker = (this.#worker ??= openWorker(this.#workerFile, this.#schema))
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
  // An idle worker must not keep the process alive. During a validation, a timer keeps it alive.
  worker.unref()
  return worker
}

const afterTheBatch = 'the 60 s for validations after the timeout had passed'
