/** The side of the action: one worker thread, shared by all who have something to ask. */
import type { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { type OnLine, readClientLine } from './client-line.ts'
import type { Services, WorkerMessage, WorkerRequest } from './worker-protocol.ts'

export type Answer<Report> =
  | { kind: 'report'; report: Report }
  | { kind: 'failure'; name: string; message: string }
  /** The signal came first. `lastLine` is what the client had printed last: why it took so long. */
  | { kind: 'given-up'; lastLine: string | undefined }

interface Waiting {
  lastLine: string | undefined
  onProgress: () => void
  settle: (answer: Answer<unknown>) => void
}

type WorkerLike = Pick<Worker, 'postMessage' | 'ref' | 'unref' | 'terminate'> &
  Pick<EventEmitter, 'on'>

export class WorkerRequests<All extends Services<All>> {
  readonly #worker: WorkerLike
  readonly #onLine: OnLine
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  /** Set once the thread has ended: later requests get it at once. */
  #end: Answer<never> | undefined

  /** `onLine` gets what the clients print, the masks they ask for included. */
  constructor(worker: WorkerLike, onLine: OnLine) {
    this.#worker = worker
    this.#onLine = onLine
    worker.unref()
    worker.on('message', (message: WorkerMessage) => this.#take(message))
    worker.on('error', (error: Error) => this.#endAll(error.name, error.message))
    worker.on('exit', () => this.#endAll('Error', 'the storage client ended without an answer'))
  }

  /** Whether nobody waits for an answer. */
  get idle(): boolean {
    return this.#waiting.size === 0
  }

  /** Never rejects. Keeps the program alive until there is an answer. */
  async ask<Name extends keyof All & string>(
    service: Name,
    order: All[Name]['order'],
    signal: AbortSignal,
    onProgress: () => void = () => undefined,
  ): Promise<Answer<All[Name]['report']>> {
    if (this.#end) return this.#end
    const id = (this.#lastId += 1)
    const { promise, resolve } = Promise.withResolvers<Answer<unknown>>()
    const waiting: Waiting = { lastLine: undefined, onProgress, settle: resolve }
    const giveUp = () => resolve({ kind: 'given-up', lastLine: waiting.lastLine })
    this.#waiting.set(id, waiting)
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    else this.#worker.postMessage({ id, service, order } satisfies WorkerRequest)
    this.#worker.ref()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', giveUp)
      this.#waiting.delete(id)
      if (this.idle) this.#worker.unref()
    }
  }

  /** Ends the thread with all that it still does; those who wait are told so. */
  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  #take(message: WorkerMessage): void {
    const { id, ...answer } = message
    const waiting = this.#waiting.get(id)
    switch (answer.kind) {
      case 'progress':
        return waiting?.onProgress()
      case 'line':
        if (waiting) waiting.lastLine = wordsIn(answer.line) ?? waiting.lastLine
        // Also when nobody waits any more: a mask is one all the same.
        this.#onLine(answer.line)
        return
      case 'report':
      case 'failure':
        return waiting?.settle(answer)
    }
  }

  #endAll(name: string, message: string): void {
    this.#end ??= { kind: 'failure', name, message }
    for (const { settle } of this.#waiting.values()) settle(this.#end)
  }
}

/** Undefined where the line is a mask, a program that is run, or one of the many for debugging. */
function wordsIn(line: string): string | undefined {
  const { command, text } = readClientLine(line)
  if (text.startsWith('[command]')) return undefined
  return ['info', 'notice', 'warning', 'error'].includes(command) ? text : undefined
}
