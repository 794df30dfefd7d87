/**
 * Finds and saves the records of a step in the Actions cache. A problem with the cache is written
 * to the log and never fails the step.
 */
import { Deadline } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { describeUnsaved, foreignCredentials, foreignRecord } from '../../messages/record.ts'
import type { Log } from '../log.ts'
import type { Step } from '../step.ts'
import { RunningSaveError, type Storage } from '../storage/step-storage.ts'
import { readKey, type StepRecord, writeBatchKey, writeContent, writeRunKey } from './format.ts'
import type { RecordAddress, Sign } from './identity.ts'

export type EarlierRecord =
  | { kind: 'found'; record: StepRecord }
  | { kind: 'none' }
  /** A record exists or may exist, but cannot be used. */
  | { kind: 'unreadable'; why: string }

export interface RecordStoreContext extends Pick<Step, 'clock' | 'cancelled'> {
  /** `run`: the cache key is the record. `batch`: the file in the cache entry is the record. */
  carrier: 'run' | 'batch'
  address: RecordAddress
  sign: Sign
  storage: Pick<Storage, 'find' | 'save' | 'restore'>
  log: Pick<Log, 'info' | 'debug'>
}

/**
 * How long to search for a record, in milliseconds. A cache usually answers in 0.1 s. The time
 * limit is long, because a re-run that does not find its record could start a second run.
 */
export const maxFindTime = 30_000
const pauseBeforeSecondTry = 1_000

/** The maximum size of a record's file, in bytes. 10,000 runs take 1.5 MB, with long ids 10 MB. */
export const maxFileSize = 16 * 2 ** 20

/** The file in a cache entry whose key is the complete record. */
const emptyFile = { name: 'record', content: new Uint8Array() }

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
   * Saves a record, and returns whether it is saved. Never rejects. Returns soon after the signal
   * aborts. Then the cache client may continue, and may still save the record: `running` settles
   * when the cache client has finished.
   */
  async save(
    record: StepRecord,
    signal: AbortSignal,
  ): Promise<{ isSaved: boolean; running?: Promise<unknown> }> {
    const { log } = this.#context
    try {
      await this.#send(record, signal)
      return { isSaved: true }
    } catch (error) {
      // A record that names no execution is not needed, because a re-run starts a new run anyway.
      const isMissed = [...record.runs.values()].some(({ kind }) => kind !== 'start-unknown')
      // The level `info` is used only once, because all problems have the same consequence.
      const level = isMissed && !this.#isProblemLogged ? 'info' : 'debug'
      log[level](describeUnsaved(messageOf(error)))
      this.#isProblemLogged ||= isMissed
      return error instanceof RunningSaveError
        ? { isSaved: false, running: error.running }
        : { isSaved: false }
    }
  }

  async #look(prefix: string, signal: AbortSignal) {
    const { carrier, address, storage } = this.#context
    const name = carrier === 'run' ? emptyFile.name : address.fileName
    return this.#tryTwice(() => storage.find({ prefix, name }, signal), signal)
  }

  async #read(key: string, signal: AbortSignal): Promise<EarlierRecord> {
    const { carrier, address, sign, storage, log } = this.#context
    log.debug(`The newest record of this step: ${key}`)
    // Checks the signature before the download, because other people can also save cache entries.
    const read = readKey(address.stepPrefix, key, sign)
    if (read.kind === 'unreadable') return read
    const { readContent, readRunKey } = await import('./read-record.ts')
    if (carrier === 'run') return foundIn(readRunKey(read.body))
    const order = { key, name: address.fileName, maxSize: maxFileSize }
    const content = await this.#tryTwice(() => storage.restore(order, signal), signal)
    return foundIn(readContent(read.body, content))
  }

  /** Repeats a failed call once, because one broken connection could lead to a second run. */
  async #tryTwice<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    try {
      return await ask()
    } catch (failure) {
      await this.#context.clock.sleep(pauseBeforeSecondTry, signal).catch(() => undefined)
      if (signal.aborted) throw failure
      return await ask().catch((again: unknown) => {
        // If the second try was aborted, the first failure describes the problem better.
        throw signal.aborted ? failure : again
      })
    }
  }

  async #send(record: StepRecord, signal: AbortSignal): Promise<void> {
    const { carrier, address, storage, sign, clock, log } = this.#context
    const file =
      carrier === 'run' ? emptyFile : { name: address.fileName, content: writeContent(record) }
    const key =
      carrier === 'run'
        ? writeRunKey(address.stepPrefix, record, clock.date(), sign)
        : writeBatchKey(address.stepPrefix, file.content, sign)
    if (key === undefined) throw new Error("the execution's id is too long for a key")
    await storage.save({ key, ...file }, signal)
    log.debug(`Saved for a re-run: ${key}`)
  }
}

function foundIn(record: StepRecord | undefined): EarlierRecord {
  return record ? { kind: 'found', record } : { kind: 'unreadable', why: foreignRecord }
}
