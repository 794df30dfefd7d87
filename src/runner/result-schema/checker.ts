/** Checks schemas and results in a thread of their own, within bounds of time and memory. */
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Deadline, type Clock } from '../../clock.ts'
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
  const loaded = await thread.nextWithin(maxLoading, clock)
  const posted = loaded.kind === 'loaded' ? await thread.nextWithin(maxCompiling, clock) : loaded
  if (posted.kind === 'compiled') return posted.problems
  const why = posted.kind === 'ended' ? describeEnd(posted, maxCompiling) : 'the checker failed'
  return wholeProblem(`it could not be compiled: ${why}`)
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
    let posted = await thread.next(deadline.signal)
    while (posted.kind !== 'checked' && posted.kind !== 'ended') {
      if (posted.kind === 'unreadable') throw new UnreadableResult(posted.why)
      if (posted.kind === 'first') first = posted.problems
      posted = await thread.next(deadline.signal)
    }
    if (posted.kind === 'checked') return posted.problems
    await thread[Symbol.asyncDispose]()
    cancelled.throwIfAborted()
    this.#thread = this.#open()
    return first ?? wholeProblem(`it could not be checked: ${describeEnd(posted, maxChecking)}`)
  }

  #open(): CheckThread {
    return new CheckThread(this.#context.workerFile, this.#schema)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]()
  }
}

interface Ended {
  kind: 'ended'
  why: 'time' | 'memory' | 'error'
}

function describeEnd({ why }: Ended, span: number): string {
  switch (why) {
    case 'time':
      return `that did not finish in ${span / 1000} s`
    case 'memory':
      return `that took more than ${maxHeap / 1024} GiB of memory`
    case 'error':
      return 'the checker failed'
  }
}

class CheckThread implements AsyncDisposable {
  readonly #worker: Worker
  readonly #posted: (Posted | Ended)[] = []
  #wake: () => void = () => undefined

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
    this.#worker.on('message', (posted: Posted) => this.#add(posted))
    this.#worker.on('error', (error: unknown) =>
      this.#add({ kind: 'ended', why: isOutOfMemory(error) ? 'memory' : 'error' }),
    )
  }

  check(file: string): void {
    this.#worker.postMessage(file)
  }

  /** What it posts next, or why nothing comes. */
  async next(signal: AbortSignal): Promise<Posted | Ended> {
    while (this.#posted.length === 0 && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const wake = () => resolve(undefined)
      this.#wake = wake
      signal.addEventListener('abort', wake, { once: true })
      await promise
      signal.removeEventListener('abort', wake)
    }
    return this.#posted.shift() ?? { kind: 'ended', why: 'time' }
  }

  async nextWithin(span: number, clock: Clock): Promise<Posted | Ended> {
    using deadline = new Deadline(clock, span)
    return await this.next(deadline.signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }

  #add(posted: Posted | Ended): void {
    this.#posted.push(posted)
    this.#wake()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
