/**
 * Finds and saves the records of a step in the Actions cache. A problem with the cache never
 * fails the step.
 */
import { Deadline } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import {
  describeUnsaved,
  foreignCredentials,
  foreignRecord,
} from '../../messages/record-problems.ts'
import type { Log } from '../log.ts'
import type { Step } from '../step.ts'
import { RunningSaveError, type Storage } from '../storage/step-storage.ts'
import { tryAgain } from '../storage/try-again.ts'
import { readKey, writeEntry } from './format.ts'
import type { Hmac, RecordAddress, RecordForm } from './identity.ts'
import type { StepRecord } from './record.ts'

export type EarlierRecord =
  | { kind: 'found'; record: StepRecord }
  | { kind: 'none' }
  /** A record exists or may exist, but cannot be used. */
  | { kind: 'unreadable'; why: string }

export interface RecordStoreContext extends Pick<Step, 'clock' | 'cancelled'> {
  form: RecordForm
  address: RecordAddress
  hmac: Hmac
  storage: Pick<Storage, 'find' | 'save' | 'restore'>
  log: Pick<Log, 'info' | 'debug'>
}

/**
 * How long to search for a record, in milliseconds. A cache usually answers in 0.1 s. The time
 * limit is long, because a re-run that does not find its record could start a second run.
 */
export const maxFindTime = 30_000
/** The time limit of one call of the cache, in milliseconds. The cache client may repeat requests. */
export const maxCacheTry = 15_000

/** The maximum size of a record's file, in bytes. 10,000 runs take 1.5 MB, with long ids 10 MB. */
export const maxRecordSize = 16 * 2 ** 20

export class RecordStore {
  readonly #context: RecordStoreContext
  #isProblemLogged = false

  constructor(context: RecordStoreContext) {
    this.#context = context
  }

  /** Finds this step's newest record in the workflow run. Takes at most 30 s. Never rejects. */
  async find(): Promise<EarlierRecord> {
    const { address, clock, cancelled } = this.#context
    using deadline = new Deadline(clock, maxFindTime, cancelled)
    const { signal } = deadline
    try {
      const newest = await this.#look(address.stepPrefix, signal)
      if (newest !== undefined) return await this.#read(newest, signal)
    } catch (error) {
      return { kind: 'unreadable', why: messageOf(error) }
    }
    // If the credentials have changed, the keys of earlier records begin with another prefix.
    const other = await this.#look(address.placePrefix, signal).catch(() => undefined)
    const isForeign = other !== undefined && !other.startsWith(address.credentialsPrefix)
    return isForeign ? { kind: 'unreadable', why: foreignCredentials } : { kind: 'none' }
  }

  /**
   * Saves a record, in up to three tries, and returns whether it is saved. Never rejects. Returns
   * soon after the signal aborts. The cache client continues each try that was given up, and may
   * still save the record: `running` settles when the cache client has finished.
   */
  async save(
    record: StepRecord,
    signal: AbortSignal,
  ): Promise<{ isSaved: boolean; running?: Promise<unknown> }> {
    const unfinished: Promise<unknown>[] = []
    const send = async (own: AbortSignal) =>
      this.#send(record, own).catch((error: unknown) => {
        if (error instanceof RunningSaveError) unfinished.push(error.running)
        throw error
      })
    const isSaved = await this.#tryAgain(send, signal).then(
      () => true,
      (error: unknown) => this.#logUnsaved(record, error),
    )
    return unfinished.length === 0
      ? { isSaved }
      : { isSaved, running: Promise.allSettled(unfinished) }
  }

  #logUnsaved(record: StepRecord, error: unknown): false {
    // A record that names no execution is not needed, because a re-run starts a new run anyway.
    const isMissed = [...record.runs.values()].some(({ kind }) => kind === 'known')
    // The level `info` is used only once, because all problems have the same consequence.
    const level = isMissed && !this.#isProblemLogged ? 'info' : 'debug'
    this.#context.log[level](describeUnsaved(messageOf(error)))
    this.#isProblemLogged ||= isMissed
    return false
  }

  async #look(prefix: string, signal: AbortSignal) {
    const { address, storage } = this.#context
    return this.#tryAgain((own) => storage.find({ prefix, name: address.fileName }, own), signal)
  }

  async #read(key: string, signal: AbortSignal): Promise<EarlierRecord> {
    const { form, address, hmac, storage, log } = this.#context
    log.debug(`The newest record of this step: ${key}`)
    // Checks the HMAC before the download, because other people can also save cache entries.
    const read = readKey(address, key, hmac)
    if (read.kind === 'unreadable') return read
    const { readContent, readRunKey } = await import('./read-record.ts')
    if (form === 'key') return foundIn(readRunKey(read.body))
    const order = { key, name: address.fileName, maxSize: maxRecordSize }
    const content = await this.#tryAgain((own) => storage.restore(order, own), signal)
    return foundIn(readContent(read.body, content))
  }

  #tryAgain<Value>(call: (own: AbortSignal) => Promise<Value>, signal: AbortSignal) {
    const { clock } = this.#context
    return tryAgain((limit) => call(limit.signal), { clock, signal, maxTime: maxCacheTry })
  }

  async #send(record: StepRecord, signal: AbortSignal): Promise<void> {
    const { form, address, hmac, storage, clock, log } = this.#context
    const entry = writeEntry(form, record, address, clock.date(), hmac)
    await storage.save(entry, signal)
    log.debug(`Saved for a re-run: ${entry.key}`)
  }
}

function foundIn(record: StepRecord | undefined): EarlierRecord {
  return record ? { kind: 'found', record } : { kind: 'unreadable', why: foreignRecord }
}
