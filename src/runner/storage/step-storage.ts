/** What a step stores: artifacts, and what a later attempt of its job needs, in the Actions cache. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Deadline, orAbort } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { describeLate, noCache, noHome } from '../../messages/memory.ts'
import type { Secrets } from '../../messages/text/secrets.ts'
import type { Environment } from '../inputs/environment.ts'
import type { Log } from '../log.ts'
import type { Step } from '../step.ts'
import type { UploadOrder, UploadReport } from './artifact-client.ts'
import type {
  CacheDownload,
  CacheFile,
  CacheQuery,
  Failed,
  FindReport,
  RestoreReport,
  SaveReport,
} from './cache-client.ts'
import { type OnLine, readClientLine } from './client-calls.ts'
import type { StorageClients } from './storage-clients.ts'

/** Of a step: the clients' own lines are for debugging, and signed addresses are to be masked. */
export interface StorageContext extends Pick<Step, 'environment' | 'cancelled' | 'clock'> {
  log: Pick<Log, 'debug'>
  secrets: Pick<Secrets, 'add'>
}

/** `running`: the client's call, if the save was given up and the client is still making it. */
export type StepSaveReport = SaveReport & { running?: Promise<unknown> | undefined }

/** What actions use of it. */
export type Storage = Pick<StepStorage, 'prepare' | 'upload' | 'find' | 'save' | 'restore'>

/** Costs nothing until it is used. */
export function openStorage(step: Step): StepStorage {
  return new StepStorage(step, () => loadClients(step))
}

/** At run time: no bundle of an action holds any of it. */
async function loadClients({ bundleFolder }: Step): Promise<StorageClients> {
  const file = path.join(bundleFolder, '..', 'storage', 'index.js')
  // Node's own warnings about what the clients depend on would stand in people's logs.
  process.noDeprecation = true
  const bundle: unknown = await import(/* webpackIgnore: true */ pathToFileURL(file).href)
  return (bundle as { openClients: () => StorageClients }).openClients()
}

// Milliseconds.
const maxUploadTime = 3_600_000
/**
 * The client prints a line for each block, each try and each step. It waits as long for a block, and
 * for ever for the rest of an answer that was cut.
 */
const maxSilence = 300_000

/**
 * One a step. No method rejects; `why` in what they answer may hold words of others. A client that
 * does not answer in time is left behind with what it does: the step ends the process soon after its
 * verdict.
 */
export class StepStorage {
  readonly #context: StorageContext
  /** Loads the bundle of `storage-clients.ts`; called at most once. */
  readonly #loadClients: () => Promise<StorageClients>
  #clients: Promise<StorageClients> | undefined
  /** Of a batch's record; over once its client is. */
  #download: Promise<unknown> | undefined

  constructor(context: StorageContext, loadClients: () => Promise<StorageClients>) {
    this.#context = context
    this.#loadClients = loadClients
  }

  /** Begins to load the clients, where the runner offers a service for one; whoever asks later waits less. */
  prepare(): void {
    const { environment } = this.#context
    if (!hasCacheService(environment) && !hasArtifactService(environment)) return
    // Whoever asks gets the error.
    this.#load().catch(() => undefined)
  }

  /** Ended after five minutes without a line of the client, and after an hour in all. */
  async upload(order: UploadOrder): Promise<UploadReport> {
    const { cancelled, clock, environment } = this.#context
    if (!hasArtifactService(environment)) {
      return { kind: 'unsupported', why: 'this runner offers no artifact service' }
    }
    using deadline = new Deadline(clock, maxUploadTime, cancelled)
    using stall = new Deadline(clock, maxSilence, deadline.signal)
    const upload = (clients: StorageClients, onLine: OnLine) => clients.upload(order, onLine)
    return await this.#ask('artifact service', stall.signal, upload, stall)
  }

  /** The newest key that begins with a prefix. */
  async find(query: CacheQuery, signal: AbortSignal): Promise<FindReport> {
    return this.#askCache(signal, (clients, onLine) => clients.find(query, onLine))
  }

  async save(file: CacheFile, signal: AbortSignal): Promise<StepSaveReport> {
    let sent: Promise<SaveReport> | undefined
    const report = await this.#askCache(signal, async (clients, onLine) => {
      // Given up or not, a download unpacks a file of the same name, and removes it.
      await this.#download
      // Sent now, a save that was given up could become the newest after the one that follows it.
      signal.throwIfAborted()
      sent = clients.save(file, onLine)
      return sent
    })
    if (report.kind === 'saved') return report
    return { ...report, running: signal.aborted ? sent : undefined }
  }

  async restore(order: CacheDownload, signal: AbortSignal): Promise<RestoreReport> {
    return this.#askCache(signal, (clients, onLine) => {
      const restored = clients.restore(order, onLine)
      this.#download = restored.catch(() => undefined)
      return restored
    })
  }

  async #askCache<Report>(
    signal: AbortSignal,
    call: (clients: StorageClients, onLine: OnLine) => Promise<Report>,
  ): Promise<Report | Failed> {
    const { environment } = this.#context
    if (!hasCacheService(environment)) return { kind: 'failed', why: noCache }
    // The client's files would be written to the workspace.
    const { HOME } = environment
    if (HOME !== undefined && !path.isAbsolute(HOME)) return { kind: 'failed', why: noHome }
    return this.#ask('cache', signal, call)
  }

  /** `stall` is put off by each line of the client. */
  async #ask<Report>(
    service: string,
    signal: AbortSignal,
    call: (clients: StorageClients, onLine: OnLine) => Promise<Report>,
    stall?: Deadline,
  ): Promise<Report | Failed> {
    const { clock, cancelled } = this.#context
    const askedAt = clock.now()
    let lastLine: string | undefined
    const onLine = (line: string) => {
      stall?.renew(maxSilence)
      lastLine = wordsIn(line) ?? lastLine
      // Also when nobody waits any more: a mask is one all the same.
      this.#relay(line)
    }
    try {
      signal.throwIfAborted()
      const asked = this.#load().then((clients) => {
        signal.throwIfAborted()
        return call(clients, onLine)
      })
      return await orAbort(asked, signal)
    } catch (error) {
      if (!signal.aborted) return { kind: 'failed', why: messageOf(error) }
      const isCancelled = signal.reason === cancelled.reason
      const isStalled = stall?.remaining() === 0
      const span = isStalled ? maxSilence : clock.now() - askedAt
      const late = describeLate(service, span, isStalled, lastLine)
      return { kind: 'failed', why: isCancelled ? 'the step was cancelled' : late }
    }
  }

  #load(): Promise<StorageClients> {
    return (this.#clients ??= this.#loadClients())
  }

  #relay(line: string): void {
    const { log, secrets } = this.#context
    const { command, text } = readClientLine(line)
    if (command === 'add-mask') secrets.add(text)
    else log.debug(`storage client: ${text}`)
  }
}

/**
 * Undefined where the line is a mask, a program that is run, what a look-up found, or one of the many
 * for debugging.
 */
function wordsIn(line: string): string | undefined {
  const { command, text } = readClientLine(line)
  if (/^(?:\[command\]|Cache hit for|Lookup only)/.test(text)) return undefined
  return ['info', 'notice', 'warning', 'error'].includes(command) ? text : undefined
}

/** A local or an old runner may offer none. */
function hasArtifactService(environment: Environment): boolean {
  return Boolean(environment['ACTIONS_RUNTIME_TOKEN'] && environment['ACTIONS_RESULTS_URL'])
}

/**
 * Whether the runner may offer a cache; the client, which knows GHES apart, has the last word. Without
 * its id, what one workflow run leaves would be found by another.
 */
function hasCacheService(environment: Environment): boolean {
  const { ACTIONS_CACHE_URL, ACTIONS_CACHE_SERVICE_V2, ACTIONS_RESULTS_URL } = environment
  if (!environment['GITHUB_RUN_ID']) return false
  return Boolean(ACTIONS_CACHE_URL) || Boolean(ACTIONS_CACHE_SERVICE_V2 && ACTIONS_RESULTS_URL)
}
