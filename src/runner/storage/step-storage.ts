/** What a step stores: artifacts, and what a later attempt of its job needs, in the Actions cache. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Deadline, orAbort, TimeUp, type Clock } from '../../clock.ts'
import { noCache } from '../../messages/memory.ts'
import { describeElapsed } from '../../messages/quantities.ts'
import { hasArtifactService } from '../publish-artifact.ts'
import type { Environment } from '../inputs/environment.ts'
import type { Step } from '../step.ts'
import type { UploadOrder, UploadReport } from './artifact-client.ts'
import type {
  CacheFile,
  CacheQuery,
  FindReport,
  RestoreReport,
  SaveReport,
} from './cache-client.ts'
import { type OnLine, readClientLine } from './client-calls.ts'
import type { StorageClients } from './storage-clients.ts'

export type Answer<Report> =
  | { kind: 'report'; report: Report }
  | { kind: 'failure'; name: string; message: string }
  /** The signal came first. `lastLine` is what the client had printed last: why it took so long. */
  | { kind: 'given-up'; lastLine: string | undefined }

/** A file behind a key that begins with `prefix`. */
export interface CacheFileOrder extends CacheQuery {
  /** Whether the newest key may be trusted. Nothing of another is downloaded. */
  accepts: (key: string) => boolean
  /** Bytes. Of a larger file nothing is read. */
  maxSize: number
}

/** `refused`: the newest key was not accepted. */
export type FileReport = RestoreReport | { kind: 'refused'; key: string }

export interface StorageContext extends Pick<Step, 'environment' | 'cancelled'> {
  clock: Clock
  /** Loads the bundle of `storage-clients.ts`; called at most once. */
  loadClients: () => Promise<StorageClients>
  /** Where the clients' own lines go. */
  debug: (line: string) => void
  /** What the clients ask the runner to mask: signed addresses. */
  mask: (value: string) => void
}

/** What actions use of it. */
export type Storage = Pick<
  StepStorage,
  'prepare' | 'upload' | 'find' | 'save' | 'saveFile' | 'restoreFile'
>

/** Costs nothing until it is used. */
export function openStorage(step: Step): StepStorage {
  return new StepStorage({
    environment: step.environment,
    cancelled: step.cancelled,
    clock: step.clock,
    loadClients: () => loadClients(step),
    debug: (line) => step.log.debug(line),
    mask: (value) => step.secrets.add(value),
  })
}

/** At run time: no bundle of an action holds any of it. */
async function loadClients({ bundleFolder }: Step): Promise<StorageClients> {
  const file = path.join(bundleFolder, '..', 'storage', 'index.js')
  // Node's own warnings about what the clients depend on would stand in people's logs.
  process.noDeprecation = true
  const bundle: unknown = await import(/* webpackIgnore: true */ pathToFileURL(file).href)
  return (bundle as { openClients: () => StorageClients }).openClients()
}

/** A record is a key: the file behind it is empty, and the same for all. */
const record = { name: 'record', content: new Uint8Array() }

/** Milliseconds. The client itself ends an upload after five minutes without a block. */
const maxUploadTime = 3_600_000

/**
 * One a step. No method rejects. A client that does not answer in time is left behind with what it
 * does: the step ends the process soon after its verdict.
 */
export class StepStorage {
  readonly #context: StorageContext
  readonly #hasCache: boolean
  #clients: Promise<StorageClients> | undefined
  /** Of a batch's record; over once its client is. */
  #download: Promise<unknown> | undefined

  constructor(context: StorageContext) {
    this.#context = context
    this.#hasCache = hasCacheService(context.environment)
  }

  /** Begins to load the clients, where the runner offers a service for one; whoever asks later waits less. */
  prepare(): void {
    if (!this.#hasCache && !hasArtifactService(this.#context.environment)) return
    // Whoever asks gets the error.
    this.#load().catch(() => undefined)
  }

  /** Ended after an hour. */
  async upload(order: UploadOrder): Promise<UploadReport> {
    const { cancelled, clock } = this.#context
    using deadline = new Deadline(clock, maxUploadTime, cancelled)
    const answer = await this.#ask(deadline.signal, (clients, onLine) =>
      clients.upload(order, onLine),
    )
    if (answer.kind === 'report') return answer.report
    if (answer.kind === 'failure') return { ...answer, kind: 'failed' }
    if (cancelled.aborted) return { kind: 'failed', name: 'Cancelled', message: 'cancelled' }
    const message = `not done after ${describeElapsed(maxUploadTime)}`
    return { kind: 'failed', name: TimeUp.name, message }
  }

  /** The newest record whose key begins with `prefix`. */
  async find(prefix: string, signal: AbortSignal): Promise<Answer<FindReport>> {
    return this.#find({ prefix, name: record.name }, signal)
  }

  async save(key: string, signal: AbortSignal): Promise<Answer<SaveReport>> {
    return this.saveFile({ key, name: record.name, content: record.content }, signal)
  }

  async saveFile(file: CacheFile, signal: AbortSignal): Promise<Answer<SaveReport>> {
    if (!this.#hasCache) return withoutCache
    return this.#ask(signal, async (clients, onLine) => {
      // Given up or not, a download unpacks a file of the same name, and removes it.
      await this.#download
      return clients.save(file, onLine)
    })
  }

  /** The newest file of that name whose key begins with `prefix`. */
  async restoreFile(order: CacheFileOrder, signal: AbortSignal): Promise<Answer<FileReport>> {
    const { prefix, name, maxSize, accepts } = order
    const found = await this.#find({ prefix, name }, signal)
    if (found.kind !== 'report') return found
    const { report } = found
    if (report.kind !== 'found') return { kind: 'report', report }
    const { key } = report
    if (!accepts(key)) return { kind: 'report', report: { kind: 'refused', key } }
    const download = { key, name, maxSize }
    return this.#ask(signal, (clients, onLine) => {
      const restored = clients.restore(download, onLine)
      this.#download = restored.catch(() => undefined)
      return restored
    })
  }

  async #find(query: CacheQuery, signal: AbortSignal): Promise<Answer<FindReport>> {
    if (!this.#hasCache) return withoutCache
    return this.#ask(signal, (clients, onLine) => clients.find(query, onLine))
  }

  async #ask<Report>(
    signal: AbortSignal,
    call: (clients: StorageClients, onLine: OnLine) => Promise<Report>,
  ): Promise<Answer<Report>> {
    let lastLine: string | undefined
    const onLine = (line: string) => {
      lastLine = wordsIn(line) ?? lastLine
      // Also when nobody waits any more: a mask is one all the same.
      this.#relay(line)
    }
    try {
      signal.throwIfAborted()
      const asked = this.#load().then((clients) => call(clients, onLine))
      return { kind: 'report', report: await orAbort(asked, signal) }
    } catch (error) {
      if (signal.aborted) return { kind: 'given-up', lastLine }
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      return { kind: 'failure', name, message }
    }
  }

  #load(): Promise<StorageClients> {
    return (this.#clients ??= this.#context.loadClients())
  }

  #relay(line: string): void {
    const { debug, mask } = this.#context
    const { command, text } = readClientLine(line)
    if (command === 'add-mask') mask(text)
    else debug(`storage client: ${text}`)
  }
}

const withoutCache = { kind: 'report', report: { kind: 'failed', why: noCache } } as const

/** Undefined where the line is a mask, a program that is run, or one of the many for debugging. */
function wordsIn(line: string): string | undefined {
  const { command, text } = readClientLine(line)
  if (text.startsWith('[command]')) return undefined
  return ['info', 'notice', 'warning', 'error'].includes(command) ? text : undefined
}

/** Whether the runner may offer a cache; the client, which knows GHES apart, has the last word. */
function hasCacheService(environment: Environment): boolean {
  const { ACTIONS_CACHE_URL, ACTIONS_CACHE_SERVICE_V2, ACTIONS_RESULTS_URL } = environment
  return Boolean(ACTIONS_CACHE_URL) || Boolean(ACTIONS_CACHE_SERVICE_V2 && ACTIONS_RESULTS_URL)
}
