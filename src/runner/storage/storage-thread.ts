/** The side of the action: one thread with GitHub's clients for artifacts and cache, for all. */
import path from 'node:path'
import { type Clock, TimeUp } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import type { UploadOrder, UploadReport } from '../artifact/protocol.ts'
import type { ArtifactUploader } from '../artifact/publish-artifact.ts'
import { StallWatch } from '../stall-watch.ts'
import type { Step } from '../step.ts'
import type { FindReport, SaveReport } from './cache-client.ts'
import type { CacheFile, CacheFileOrder, RestoreReport } from './cache-files.ts'
import { openThread, type StorageServices, type Thread, type ThreadContext } from './open-thread.ts'
import type { Answer } from './worker-requests.ts'

export interface StorageContext extends ThreadContext {
  cancelled: AbortSignal
  clock: Clock
}

/** One a step, for all that it stores. Costs nothing until it is used or loaded. */
export function openStorage(step: Step): StorageThread {
  return new StorageThread({
    workerFile: path.join(step.bundleFolder, '..', 'storage', 'index.js'),
    environment: step.environment,
    debug: (line) => step.log.debug(line),
    mask: (value) => step.secrets.add(value),
    cancelled: step.cancelled,
    clock: step.clock,
  })
}

// Milliseconds. A thread ends at once, unless it waits for a disk that does not answer.
const longestStop = 500

export class StorageThread implements ArtifactUploader, AsyncDisposable {
  readonly #context: StorageContext
  #thread: Thread | undefined
  #stopped = false
  #ended = Promise.resolve()

  constructor(context: StorageContext) {
    this.#context = context
  }

  /** Begins to load the clients, so that they are ready when they are asked. Returns at once. */
  load(): void {
    try {
      this.#open()
    } catch {
      // Whoever asks is told.
    }
  }

  /** Never rejects. An upload without progress is given up, and any after an hour. */
  async upload(order: UploadOrder): Promise<UploadReport> {
    const { cancelled, clock } = this.#context
    using watch = new StallWatch(clock, cancelled)
    const answer = await this.#ask('upload', order, watch.signal, () => watch.renew())
    if (answer.kind === 'report') return answer.report
    if (answer.kind === 'failure') return { ...answer, kind: 'failed' }
    // Nothing else ends it. Whoever waits for something else is not cut off for that: `stop` comes.
    if (this.#thread?.requests.idle) void this.#end()
    if (cancelled.aborted) return { kind: 'failed', name: 'Cancelled', message: 'cancelled' }
    return { kind: 'failed', name: TimeUp.name, message: messageOf(watch.signal.reason) }
  }

  /** Never rejects. The signal bounds it: the client alone may take minutes, or never answer. */
  async find(prefix: string, signal: AbortSignal): Promise<Answer<FindReport>> {
    return this.#ask('find', { prefix }, signal)
  }

  /** Never rejects; see `find`. */
  async save(key: string, signal: AbortSignal): Promise<Answer<SaveReport>> {
    return this.#ask('save', { key }, signal)
  }

  /** Never rejects; see `find`. */
  async saveFile(file: CacheFile, signal: AbortSignal): Promise<Answer<SaveReport>> {
    return this.#ask('saveFile', file, signal)
  }

  /** Never rejects; see `find`. */
  async restoreFile(order: CacheFileOrder, signal: AbortSignal): Promise<Answer<RestoreReport>> {
    return this.#ask('restoreFile', order, signal)
  }

  /** Ends all that is still under way, within a moment. Who asks afterwards gets a failure. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #ask<Name extends keyof StorageServices>(
    service: Name,
    order: StorageServices[Name]['order'],
    signal: AbortSignal,
    onProgress?: () => void,
  ): Promise<Answer<StorageServices[Name]['report']>> {
    try {
      return await this.#open().requests.ask(service, order, signal, onProgress)
    } catch (error) {
      return { kind: 'failure', name: 'Error', message: messageOf(error) }
    }
  }

  #open(): Thread {
    if (this.#stopped) throw new Error('the step has ended')
    return (this.#thread ??= openThread(this.#context))
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    if (thread) this.#ended = endThread(thread, this.#context.clock)
    await this.#ended
  }
}

async function endThread({ requests, worker }: Thread, clock: Clock): Promise<void> {
  const ended = new AbortController()
  const moment = clock.sleep(longestStop, ended.signal).catch(() => undefined)
  await Promise.race([requests.stop(), moment])
  ended.abort()
  // Ending a thread keeps the program alive until it has ended.
  worker.unref()
}
