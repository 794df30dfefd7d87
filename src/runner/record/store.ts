/**
 * Where the records of a step are: in the Actions cache, as keys or as files behind keys. What the
 * cache cannot do is said in the log, and fails nothing.
 */
import { type Clock, Deadline } from '../../clock.ts'
import {
  describeDenied,
  describeLate,
  describeUnfinishedSave,
  describeUnsaved,
  foreignCredentials,
  foreignRecord,
  newerVersion,
  noCache,
  noZstd,
  recordTaken,
} from '../../messages/memory.ts'
import type { Secrets } from '../../messages/text/secrets.ts'
import { clean } from '../../messages/text/untrusted-text.ts'
import type { Log } from '../log.ts'
import type { SaveReport } from '../storage/cache-client.ts'
import type { Answer, Storage } from '../storage/step-storage.ts'
import {
  belongsTo,
  readContent,
  readKey,
  readRunKey,
  type StepRecord,
  writeBatchKey,
  writeContent,
  writeRunKey,
} from './format.ts'
import { placePrefixOf, prefixOf, type RecordAddress, type Sign } from './identity.ts'

export type FoundRecord =
  | { kind: 'found'; record: StepRecord }
  | { kind: 'nothing' }
  /** Nobody knows whether there is a record. `why` may be shown: it is free of secrets. */
  | { kind: 'unreadable'; why: string }

export interface RecordStore {
  /** The newest record of this step in this workflow run. Never rejects; takes at most 30 s. */
  find(): Promise<FoundRecord>
  /**
   * Saves the record as `latest` gives it when its turn comes, after the saves before it; one that
   * waits gives way to a newer one. Never rejects. Resolves with whether it was saved for certain.
   */
  save(latest: () => StepRecord): Promise<boolean>
  /** At the step's end: what is not saved within 3 s is given up. */
  close(): Promise<void>
}

export interface RecordStoreContext {
  /** What a record is about, and so where it is: in the key, or in a file behind it. */
  carrier: 'run' | 'batch'
  address: RecordAddress
  attempt: number
  sign: Sign
  storage: Pick<Storage, 'find' | 'save' | 'saveFile' | 'restoreFile'>
  log: Pick<Log, 'info' | 'debug'>
  secrets: Pick<Secrets, 'words' | 'show'>
  clock: Clock
  cancelled: AbortSignal
}

// Milliseconds.
/** A cache that is up needs 0.1 s; but a run that is not found is started a second time. */
const maxFindTime = 30_000
const pauseBeforeSecondTry = 1_000
/** While runs are waited for there is time for the client's own retries. */
const maxSaveTime = 60_000
/** What saving may add to a step's end. */
const maxCloseTime = 3_000
/** Some caches know to the second which entry is the newest. */
const resolution = 1_000

/** Bytes. 10,000 runs take 0.9 MB, and 9 MB with the longest ids. */
const maxFileSize = 16 * 2 ** 20

/** For a step that can't be distinguished from others: it finds and saves nothing, and says why. */
export function withoutStore(why: string, log: Pick<Log, 'info'>): RecordStore {
  let isSaid = false
  return {
    find: () => Promise.resolve({ kind: 'unreadable', why }),
    save: () => {
      if (!isSaid) log.info(describeUnsaved(why))
      isSaid = true
      return Promise.resolve(false)
    },
    close: () => Promise.resolve(),
  }
}

export class CacheRecordStore implements RecordStore {
  readonly #context: RecordStoreContext
  readonly #prefix: string
  readonly #reported = new Set<string>()
  readonly #closed = new AbortController()
  #number = 0
  /** The newest that is in the cache for certain. */
  #newestKey: string | undefined
  #lastSaveAt = -Infinity
  #next: (() => StepRecord) | undefined
  /** Gives up the save that is under way. */
  #current = new AbortController()
  #work: Promise<boolean> | undefined

  constructor(context: RecordStoreContext) {
    this.#context = context
    this.#prefix = prefixOf(context.address)
  }

  async find(): Promise<FoundRecord> {
    const { clock, cancelled, secrets } = this.#context
    using deadline = new Deadline(clock, maxFindTime, cancelled)
    const found = await this.#findWithin(deadline.signal)
    if (found.kind !== 'unreadable') return found
    return { kind: 'unreadable', why: secrets.words(found.why) }
  }

  async save(latest: () => StepRecord): Promise<boolean> {
    this.#next = latest
    return (this.#work ??= this.#saveAll())
  }

  async close(): Promise<void> {
    const done = new AbortController()
    // The newest is what matters: one before it gets half of the time.
    if (this.#next) this.#abortAfter(maxCloseTime / 2, this.#current, done.signal)
    if (this.#work) this.#abortAfter(maxCloseTime, this.#closed, done.signal)
    await this.#work
    done.abort()
    this.#closed.abort()
  }

  async #findWithin(signal: AbortSignal): Promise<FoundRecord> {
    const newest = await this.#newest(this.#prefix, signal)
    if (newest.kind === 'failed') return { kind: 'unreadable', why: newest.why }
    if (newest.kind === 'found') return this.#read(newest)
    // The step's own, saved before a credential changed, begin otherwise from there on.
    const { credentials } = this.#context.address
    const place = placePrefixOf(this.#context.address)
    const other = await this.#newest(place, signal)
    const isForeign = other.kind === 'found' && !other.key.startsWith(`${place}${credentials}-`)
    return isForeign ? { kind: 'unreadable', why: foreignCredentials } : { kind: 'nothing' }
  }

  #read({ key, content }: { key: string; content: Uint8Array | undefined }): FoundRecord {
    this.#context.log.debug(`The newest record of this step: ${key}`)
    const read = readKey(this.#prefix, key, this.#context.sign)
    if (read.kind === 'other-version') return { kind: 'unreadable', why: newerVersion }
    if (read.kind === 'forged') return { kind: 'unreadable', why: foreignRecord }
    this.#newestKey = key
    if (this.#context.carrier === 'run') {
      const record = readRunKey(read.body)
      return record ? { kind: 'found', record } : { kind: 'unreadable', why: newerVersion }
    }
    const record = content && belongsTo(read.body, content) ? readContent(content) : undefined
    return record ? { kind: 'found', record } : { kind: 'unreadable', why: foreignRecord }
  }

  async #newest(prefix: string, signal: AbortSignal) {
    const { clock, cancelled } = this.#context
    let answer = await this.#ask(prefix, signal)
    // One reset connection must not start a second run beside one that goes on.
    if (isTransient(answer)) {
      await clock.sleep(pauseBeforeSecondTry, signal).catch(() => undefined)
      if (!signal.aborted) answer = await this.#ask(prefix, signal)
    }
    if (answer.kind === 'failure') return { kind: 'failed', why: answer.message } as const
    if (answer.kind === 'given-up') {
      const why = cancelled.aborted
        ? 'the step was cancelled'
        : describeLate(maxFindTime, answer.lastLine)
      return { kind: 'failed', why } as const
    }
    const { report } = answer
    if (report.kind === 'none' || report.kind === 'failed') return report
    return { kind: 'found', key: report.key, content: contentIn(report) } as const
  }

  async #ask(prefix: string, signal: AbortSignal) {
    const { carrier, storage, sign } = this.#context
    if (carrier === 'run') return storage.find(prefix, signal)
    // Of a key that nobody signed nothing is downloaded.
    const accepts = (key: string) => readKey(this.#prefix, key, sign).kind === 'read'
    const order = { prefix, name: this.#fileName, maxSize: maxFileSize, accepts }
    return storage.restoreFile(order, signal)
  }

  /** What both attempts know, and no other step that runs on this machine at the same time. */
  get #fileName(): string {
    const { runId, place, subject } = this.#context.address
    return `${runId}-${place}-${subject}`
  }

  /** Resolves with whether the last one was saved. */
  async #saveAll(): Promise<boolean> {
    let isSaved = false
    for (let latest = this.#next; latest; latest = this.#next) {
      this.#next = undefined
      this.#current = new AbortController()
      isSaved = await this.#saveOne(latest)
    }
    // In the same turn as the look for a next one: what comes later finds no work going on.
    this.#work = undefined
    return isSaved
  }

  async #saveOne(latest: () => StepRecord): Promise<boolean> {
    const { clock, log } = this.#context
    const closing = AbortSignal.any([this.#current.signal, this.#closed.signal])
    using deadline = new Deadline(clock, maxSaveTime, closing)
    const before = clock.now()
    const rest = this.#lastSaveAt + resolution - before
    if (rest > 0) await clock.sleep(rest, deadline.signal).catch(() => undefined)
    const record = latest()
    const problem = await this.#send(record, deadline.signal, before)
    if (problem === undefined) return true
    // A re-run misses executions; an unclear start it starts again in any case.
    const isMissed = [...record.runs.values()].some(({ kind }) => kind !== 'start-unknown')
    // The same problem is reported once, however many records meet it.
    log[isMissed && !this.#reported.has(problem) ? 'info' : 'debug'](problem)
    if (isMissed) this.#reported.add(problem)
    return false
  }

  /** The problem, where there is one. */
  async #send(
    record: StepRecord,
    signal: AbortSignal,
    before: number,
  ): Promise<string | undefined> {
    const { carrier, storage, sign, attempt, log, clock } = this.#context
    if (this.#holdsSecret(record)) return describeUnsaved('an execution’s id holds a secret')
    this.#number += 1
    const content = carrier === 'run' ? undefined : writeContent(record)
    const naming = { attempt, savedAt: clock.date(), number: this.#number }
    const key = content
      ? writeBatchKey(this.#prefix, content, naming, sign)
      : writeRunKey(this.#prefix, record, sign)
    if (key === undefined) return describeUnsaved('the execution’s id is too long for a key')
    if (content && content.length > maxFileSize) {
      return describeUnsaved(`it is larger than ${maxFileSize} bytes`)
    }
    // It says no more than the one before.
    if (key === this.#newestKey) return undefined
    if (this.#closed.signal.aborted) return describeUnsaved('the step had ended')
    const answer = await (content
      ? storage.saveFile({ key, name: this.#fileName, content }, signal)
      : storage.save(key, signal))
    this.#lastSaveAt = clock.now()
    const problem = this.#problemIn(answer, clock.now() - before)
    if (problem !== undefined) return problem
    this.#newestKey = key
    log.debug(`Saved for a re-run: ${key}`)
    return undefined
  }

  /** Whoever may list caches can read a key, and whoever may read them a file. */
  #holdsSecret({ runs }: StepRecord): boolean {
    const { secrets } = this.#context
    return [...runs.values()].some(
      (run) =>
        run.kind !== 'start-unknown' && secrets.show(run.executionId) !== clean(run.executionId),
    )
  }

  #problemIn(answer: Answer<SaveReport>, took: number): string | undefined {
    const { secrets } = this.#context
    if (answer.kind === 'failure') return describeUnsaved(secrets.words(answer.message))
    if (answer.kind === 'given-up') {
      const lastLine = answer.lastLine === undefined ? undefined : secrets.words(answer.lastLine)
      return describeUnfinishedSave(took, lastLine)
    }
    const { report } = answer
    switch (report.kind) {
      case 'saved':
        return undefined
      case 'taken':
        return recordTaken
      case 'denied':
        return describeDenied(secrets.words(report.why))
      case 'failed':
        return describeUnsaved(secrets.words(report.why))
    }
  }

  #abortAfter(span: number, controller: AbortController, done: AbortSignal): void {
    this.#context.clock.sleep(span, done).then(
      () => controller.abort(),
      () => undefined,
    )
  }
}

function isTransient(answer: Answer<{ kind: string; why?: string }>): boolean {
  if (answer.kind !== 'report') return false
  const { kind, why = '' } = answer.report
  return kind === 'failed' && ![noCache, noZstd].includes(why)
}

function contentIn(report: { content?: Uint8Array } | object): Uint8Array | undefined {
  return 'content' in report ? report.content : undefined
}
