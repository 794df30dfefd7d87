/** Checks schemas and results in a thread of their own, within bounds of time and memory. */
import { on } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Deadline, orAbort, type Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import {
  UnreadableResult,
  wholeProblem,
  type SchemaProblems,
} from '../../execution/result-problems.ts'
import type { Posted } from './worker.ts'

export interface CheckerContext {
  /** The bundle of `worker.ts`. */
  workerFile: string
  clock: Clock
  cancelled: AbortSignal
}

// Milliseconds.
const maxLoading = 20_000
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

/** What is wrong with a schema, which is JSON; undefined where nothing is. */
export async function findSchemaProblems(
  schema: string,
  { workerFile, clock }: Pick<CheckerContext, 'workerFile' | 'clock'>,
): Promise<SchemaProblems | undefined> {
  await using thread = new CheckThread(workerFile, schema)
  try {
    await nextWithin(maxLoading)
    return await nextWithin(maxCompiling)
  } catch (error) {
    return wholeProblem(`it could not be compiled: ${messageOf(error)}`)
  }

  async function nextWithin(span: number): Promise<SchemaProblems | undefined> {
    using deadline = new Deadline(clock, span)
    const posted = await thread.next(deadline.signal, span)
    return posted.kind === 'compiled' ? posted.problems : undefined
  }
}

/** Checks results by one schema, one after the other. */
export class ResultChecker implements AsyncDisposable {
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
   * When its turn has come. Rejects where the step was cancelled before it was done, and with
   * {@link UnreadableResult}.
   */
  async check(file: string): Promise<SchemaProblems | undefined> {
    const check = this.#last.then(() => this.#checkNow(file))
    this.#last = check.catch(() => undefined)
    return check
  }

  async #checkNow(file: string): Promise<SchemaProblems | undefined> {
    const { clock, cancelled } = this.#context
    cancelled.throwIfAborted()
    const thread = this.#thread
    thread.check(file)
    using deadline = new Deadline(clock, maxChecking, cancelled)
    let first: SchemaProblems | undefined
    try {
      for (;;) {
        const posted = await thread.next(deadline.signal, maxChecking)
        if (posted.kind === 'checked') return posted.problems
        if (posted.kind === 'unreadable') throw new UnreadableResult(posted.why)
        if (posted.kind === 'first') first = posted.problems
      }
    } catch (error) {
      if (error instanceof UnreadableResult) throw error
      await thread[Symbol.asyncDispose]()
      cancelled.throwIfAborted()
      this.#thread = this.#open()
      return first ?? wholeProblem(`it could not be checked: ${messageOf(error)}`)
    }
  }

  #open(): CheckThread {
    return new CheckThread(this.#context.workerFile, this.#schema)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]()
  }
}

class CheckThread implements AsyncDisposable {
  readonly #worker: Worker
  readonly #posted: AsyncIterator<[Posted]>

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
    this.#posted = on(this.#worker, 'message') as AsyncIterator<[Posted]>
  }

  check(file: string): void {
    this.#worker.postMessage(file)
  }

  /** What it posts next. Rejects, with why as the message, where nothing comes within `span`. */
  async next(signal: AbortSignal, span: number): Promise<Posted> {
    try {
      const next = await orAbort(this.#posted.next(), signal)
      const [posted] = next.value as [Posted]
      return posted
    } catch (error) {
      const why = signal.aborted ? `that did not finish in ${span / 1000} s` : describeEnd(error)
      throw new Error(why, { cause: error })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}

function describeEnd(error: unknown): string {
  const isOutOfMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory
    ? `that took more than ${maxHeap / 1024} GiB of memory`
    : 'the checker failed'
}
