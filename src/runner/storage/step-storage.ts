/** Uploads the artifacts of a step, and saves its record for re-runs in the Actions cache. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Deadline, isCausedBy, orAbort } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { describeElapsed } from '../../messages/quantities.ts'
import { noCache } from '../../messages/record-problems.ts'
import type { Secrets } from '../../messages/text/secrets.ts'
import type { Environment } from '../environment.ts'
import type { Log } from '../log.ts'
import type { Step } from '../step.ts'
import type { CacheDownload, CacheFile, CacheQuery } from './cache-client.ts'
import { type OnLine, readClientLine } from './client-calls.ts'
import { failureIn, StorageFailure } from './storage-failure.ts'
import { tryAgain } from './try-again.ts'
import type { OpenClients, StorageClients, Uploaded, UploadOrder } from './clients.ts'

/** `log` gets the lines of GitHub's clients. `secrets` gets the addresses that the clients mask. */
export interface StorageContext extends Pick<Step, 'environment' | 'cancelled' | 'clock'> {
  log: Pick<Log, 'debug'>
  secrets: Pick<Secrets, 'add'>
}

/** The step gave up a save, and the cache client continues. `running` settles when it ends. */
export class RunningSaveError extends Error {
  override readonly name = 'RunningSaveError'
  readonly running: Promise<unknown>

  constructor(message: string, running: Promise<unknown>) {
    super(message)
    this.running = running
  }
}

export type Storage = Pick<StepStorage, 'prepare' | 'upload' | 'find' | 'save' | 'restore'>

/** Creates the storage of a step. Does not load the clients yet. */
export function openStorage(step: Step): StepStorage {
  return new StepStorage(step, () => loadClients(step))
}

/** Loads the clients from a separate bundle at run time. */
async function loadClients({ bundles }: Step): Promise<StorageClients> {
  const file = path.join(bundles, 'storage', 'index.js')
  // Keeps Node's deprecation warnings about the clients' dependencies out of the step's log.
  process.noDeprecation = true
  const bundle: unknown = await import(/* webpackIgnore: true */ pathToFileURL(file).href)
  return (bundle as { openClients: OpenClients }).openClients()
}

// The time limit of an upload in milliseconds.
export const maxUploadTime = 3_600_000
/**
 * How long the artifact client may be silent, in milliseconds. The client prints a line for each
 * block, try and phase. The client waits up to 5 minutes for the beginning of a response, and
 * without a limit for the rest.
 */
export const maxSilence = 300_000

/**
 * The storage of one step. A call that fails rejects, and its message may contain untrusted text.
 * If a client exceeds a time limit, the step continues without the client. The process exits soon
 * after the end of the step, even if a client is still running.
 */
export class StepStorage {
  readonly #context: StorageContext
  /** Loads the bundle of `clients.ts`. Called at most once. */
  readonly #loadClients: () => Promise<StorageClients>
  #clients: Promise<StorageClients> | undefined
  /** A promise that settles when the cache client has ended the latest download of a record. */
  #download: Promise<unknown> | undefined

  constructor(context: StorageContext, loadClients: () => Promise<StorageClients>) {
    this.#context = context
    this.#loadClients = loadClients
  }

  /** Begins to load the clients if the runner offers a cache or an artifact service. */
  prepare(): void {
    const { environment } = this.#context
    if (!hasCacheService(environment) && !hasArtifactService(environment)) return
    // The first call that uses the clients reports a loading error.
    this.#load().catch(() => undefined)
  }

  /**
   * Uploads an artifact, in up to three tries. Gives up after an hour. Gives a try up after five
   * minutes without a printed line.
   */
  async upload(order: UploadOrder): Promise<Uploaded> {
    const { cancelled, clock, environment } = this.#context
    if (!hasArtifactService(environment)) {
      throw new StorageFailure('this runner offers no artifact service', 'unsupported')
    }
    using deadline = new Deadline(clock, maxUploadTime, cancelled)
    let { replaces } = order
    const upload = (clients: StorageClients, onLine: OnLine) =>
      clients.upload({ ...order, replaces }, onLine)
    const send = (stall: Deadline) =>
      this.#ask('artifact service', stall.signal, upload, stall).catch((error: unknown) => {
        // This try may have created the artifact. Then the next try finds its name taken.
        replaces ||= failureIn(error)?.mayExist ?? true
        throw error
      })
    return await tryAgain(send, { clock, signal: deadline.signal, maxTime: maxSilence })
  }

  async find(query: CacheQuery, signal: AbortSignal): Promise<string | undefined> {
    return this.#askCache(signal, (clients, onLine) => clients.find(query, onLine))
  }

  /** Rejects with a {@link RunningSaveError} if the signal aborts after the save was sent. */
  async save(file: CacheFile, signal: AbortSignal): Promise<void> {
    let sent: Promise<void> | undefined
    const saved = this.#askCache(signal, async (clients, onLine) => {
      // Waits for a download that the step gave up. The cache client may continue this download,
      // and writes and removes the same file.
      await this.#download
      // If the step gave up this save during the wait, the save is not sent. A late save could
      // replace a newer record.
      signal.throwIfAborted()
      sent = clients.save(file, onLine)
      return sent
    })
    await saved.catch((error: unknown) => {
      throw sent && signal.aborted ? new RunningSaveError(messageOf(error), sent) : error
    })
  }

  async restore(order: CacheDownload, signal: AbortSignal): Promise<Uint8Array> {
    return this.#askCache(signal, (clients, onLine) => {
      const restored = clients.restore(order, onLine)
      this.#download = restored.catch(() => undefined)
      return restored
    })
  }

  async #askCache<Value>(
    signal: AbortSignal,
    call: (clients: StorageClients, onLine: OnLine) => Promise<Value>,
  ): Promise<Value> {
    if (!hasCacheService(this.#context.environment)) throw new Error(noCache)
    return this.#ask('cache', signal, call)
  }

  /** Calls a client until `signal` aborts. Each printed line restarts the time limit `stall`. */
  async #ask<Value>(
    service: string,
    signal: AbortSignal,
    call: (clients: StorageClients, onLine: OnLine) => Promise<Value>,
    stall?: Deadline,
  ): Promise<Value> {
    const { clock, cancelled } = this.#context
    const askedAt = clock.now()
    const onLine = (line: string) => {
      stall?.renew(maxSilence)
      // Lines are handled even after the call was given up, because a line may register a mask.
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
      if (!signal.aborted) throw error
      const isCancelled = isCausedBy(signal.reason, cancelled)
      const late = `the ${service} did not finish within ${describeElapsed(clock.now() - askedAt)}`
      throw new Error(isCancelled ? 'the step was cancelled' : late, { cause: error })
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

/** Returns true if the runner offers an artifact service. Local and old runners may have none. */
function hasArtifactService(environment: Environment): boolean {
  return Boolean(environment['ACTIONS_RUNTIME_TOKEN'] && environment['ACTIONS_RESULTS_URL'])
}

/**
 * Returns true if the runner may offer a cache. The cache client makes the final decision, because
 * only that client recognizes GHES. If the id of the workflow run is missing, no cache is used,
 * because another workflow run could find the record.
 */
function hasCacheService(environment: Environment): boolean {
  const { ACTIONS_CACHE_URL, ACTIONS_CACHE_SERVICE_V2, ACTIONS_RESULTS_URL } = environment
  if (!environment['GITHUB_RUN_ID']) return false
  return Boolean(ACTIONS_CACHE_URL) || Boolean(ACTIONS_CACHE_SERVICE_V2 && ACTIONS_RESULTS_URL)
}
