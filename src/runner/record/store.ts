/**
 * Finds and saves the records of a step in the Actions cache. A problem with the cache is written
 * to the log and never fails the step.
 */
import { Deadline } from '../../clock.ts'
import { describeUnsaved, foreignCredentials, foreignRecord } from '../../messages/record.ts'
import type { Secrets } from '../../messages/text/secrets.ts'
import type { Log } from '../log.ts'
import type { Step } from '../step.ts'
import type { StepSaveReport, Storage } from '../storage/step-storage.ts'
import { readKey, type StepRecord, writeBatchKey, writeContent, writeRunKey } from './format.ts'
import type { RecordAddress, Sign } from './identity.ts'

export type EarlierRecord =
  | { kind: 'found'; record: StepRecord }
  | { kind: 'none' }
  /** A record exists or may exist, but cannot be used. `why` contains no secrets. */
  | { kind: 'unreadable'; why: string }

interface SaveAnswer {
  isSaved: boolean
  /**
   * Defined if the step gave up the save and the cache client continues. The promise settles when
   * the cache client finishes. Until then, the cache client may save the record.
   */
  running?: Promise<unknown> | undefined
}

export interface RecordStoreContext extends Pick<Step, 'clock' | 'cancelled'> {
  /** `run`: the cache key is the record. `batch`: the file in the cache entry is the record. */
  carrier: 'run' | 'batch'
  address: RecordAddress
  sign: Sign
  storage: Pick<Storage, 'find' | 'save' | 'restore'>
  log: Pick<Log, 'info' | 'debug'>
  secrets: Pick<Secrets, 'words'>
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
  #isReported = false

  constructor(context: RecordStoreContext) {
    this.#context = context
  }

  /** Finds this step's newest record in the workflow run. Takes at most 30 s. Never rejects. */
  async find(): Promise<EarlierRecord> {
    const { address, clock, cancelled, secrets } = this.#context
    using deadline = new Deadline(clock, maxFindTime, cancelled)
    const newest = await this.#look(address.step, deadline.signal)
    if (newest.kind === 'found') return await this.#read(newest.key, deadline.signal)
    if (newest.kind === 'failed') return { kind: 'unreadable', why: secrets.words(newest.why) }
    // If the credentials have changed, the keys of earlier records begin with another prefix.
    const other = await this.#look(address.place, deadline.signal)
    const isForeign = other.kind === 'found' && !other.key.startsWith(address.credentials)
    return isForeign ? { kind: 'unreadable', why: foreignCredentials } : { kind: 'none' }
  }

  /** Saves a record. Never rejects. Returns soon after the signal aborts. */
  async save(record: StepRecord, signal: AbortSignal): Promise<SaveAnswer> {
    const { log, secrets } = this.#context
    const report = await this.#send(record, signal)
    if (report.kind === 'saved') return { isSaved: true }
    const problem = secrets.words(report.why)
    // A record that names no execution is not needed, because a re-run starts a new run anyway.
    const isMissed = [...record.runs.values()].some(({ kind }) => kind !== 'start-unknown')
    // The level `info` is used only once, because all problems have the same consequence.
    const level = isMissed && !this.#isReported ? 'info' : 'debug'
    log[level](describeUnsaved(problem))
    this.#isReported ||= isMissed
    return { isSaved: false, running: report.running }
  }

  async #look(prefix: string, signal: AbortSignal) {
    const { carrier, address, storage } = this.#context
    const name = carrier === 'run' ? emptyFile.name : address.fileName
    return this.#tryTwice(() => storage.find({ prefix, name }, signal), signal)
  }

  async #read(key: string, signal: AbortSignal): Promise<EarlierRecord> {
    const { carrier, address, sign, storage, log, secrets } = this.#context
    log.debug(`The newest record of this step: ${key}`)
    // Checks the signature before the download, because other people can also save cache entries.
    const read = readKey(address.step, key, sign)
    if (read.kind === 'unreadable') return read
    const { readContent, readRunKey } = await import('./read-record.ts')
    if (carrier === 'run') return foundIn(readRunKey(read.body))
    const order = { key, name: address.fileName, maxSize: maxFileSize }
    const file = await this.#tryTwice(() => storage.restore(order, signal), signal)
    if (file.kind === 'failed') return { kind: 'unreadable', why: secrets.words(file.why) }
    return foundIn(readContent(read.body, file.content))
  }

  /** Repeats a failed call once, because one broken connection could lead to a second run. */
  async #tryTwice<Report extends { kind: string }>(
    ask: () => Promise<Report>,
    signal: AbortSignal,
  ): Promise<Report> {
    const report = await ask()
    if (report.kind !== 'failed') return report
    await this.#context.clock.sleep(pauseBeforeSecondTry, signal).catch(() => undefined)
    const again = signal.aborted ? report : await ask()
    // If the second try was aborted, the first failure describes the problem better.
    return signal.aborted && again.kind === 'failed' ? report : again
  }

  async #send(record: StepRecord, signal: AbortSignal): Promise<StepSaveReport> {
    const { carrier, address, storage, sign, log } = this.#context
    const file =
      carrier === 'run' ? emptyFile : { name: address.fileName, content: writeContent(record) }
    const key =
      carrier === 'run'
        ? writeRunKey(address.step, record, sign)
        : writeBatchKey(address.step, file.content, sign)
    if (key === undefined)
      return { kind: 'failed', why: 'the execution’s id is too long for a key' }
    const report = await storage.save({ key, ...file }, signal)
    if (report.kind === 'saved') log.debug(`Saved for a re-run: ${key}`)
    return report
  }
}

function foundIn(record: StepRecord | undefined): EarlierRecord {
  return record ? { kind: 'found', record } : { kind: 'unreadable', why: foreignRecord }
}
