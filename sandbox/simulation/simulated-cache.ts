/** Simulates the Actions cache. A look-up finds the newest entry whose key has a prefix. */
import { orAbort } from '../../src/clock.ts'
import type { CacheDownload, CacheFile, CacheQuery } from '../../src/runner/storage/cache-client.ts'
import { StorageFailure } from '../../src/runner/storage/storage-failure.ts'
import { RunningSaveError, type Storage } from '../../src/runner/storage/step-storage.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { Traffic } from './traffic.ts'

/** The service does not order entries of the same second. The unit is milliseconds. */
const resolution = 1_000

/** Returns the entries of the newest second, oldest first. */
export function newestOf<Entry extends { at: number }>(entries: readonly Entry[]): Entry[] {
  const second = ({ at }: Entry) => Math.floor(at / resolution)
  const newest = Math.max(...entries.map(second))
  const found = entries.filter((entry) => second(entry) === newest)
  return found.toSorted((one, other) => one.at - other.at)
}

/** Returns true if the record, in its key (run) or its content (batch), says that its end is reported. */
export function saysReported({ key, content }: { key: string; content: Uint8Array }): boolean {
  return key.includes('-reported-') || Buffer.from(content).includes('"isReported":true')
}

/** Contains the entries that all steps of a workflow run share. */
export class SimulatedCache {
  #entries: { key: string; at: number; content: Uint8Array }[] = []

  /** Adds an entry that look-ups find from the time `at` on. Returns false if the key is used. */
  add(key: string, at: number, content: Uint8Array): boolean {
    if (this.#entries.some((entry) => entry.key === key)) return false
    this.#entries.push({ key, at, content })
    return true
  }

  contentOf(key: string): Uint8Array {
    return this.#entries.find((entry) => entry.key === key)?.content ?? new Uint8Array()
  }

  /** Returns the keys that were added in the same second as the newest key, oldest first. */
  newest(prefix: string, now: number): string[] {
    return newestOf(this.#entries.filter(({ key, at }) => key.startsWith(prefix) && at <= now)).map(
      ({ key }) => key,
    )
  }

  /** Returns a forged key of this step, with the record of another step. */
  replay(prefix: string, random: SeededRandom): string | undefined {
    const others = this.#entries.filter(({ key }) => !key.startsWith(prefix))
    const record = others.length === 0 ? undefined : random.fork('replay').pick(others).key
    return record && `${prefix}${record.slice(record.lastIndexOf('-v1-') + 1)}`
  }

  evict(evicted: string | undefined): void {
    this.#entries = this.#entries.filter(({ key }) => key !== evicted)
  }
}

export interface CacheContext {
  cache: SimulatedCache
  clock: SimulatedClock
  random: SeededRandom
  traffic: Traffic
  /** The probability of a fault, from 0 to 1. */
  rate: number
}

export class SimulatedStorage implements Storage {
  readonly #context: CacheContext

  constructor(context: CacheContext) {
    this.#context = context
  }

  prepare(): void {
    // The simulation has nothing to load.
  }

  upload(): ReturnType<Storage['upload']> {
    return Promise.reject(new Error('no artifact is uploaded'))
  }

  async find({ prefix }: CacheQuery, signal: AbortSignal): ReturnType<Storage['find']> {
    const { cache, clock, random, traffic } = this.#context
    const fault = this.#draw([
      'look-up fails',
      'look-up hangs',
      'look-up hangs',
      'evicted',
      'evicted',
      'forged',
    ])
    await this.#wait(fault === 'look-up hangs', signal)
    if (fault === 'look-up fails') throw resetFailure()
    if (fault === 'forged') return cache.replay(prefix, random) ?? forge(prefix, random)
    // A look-up with a shorter prefix also finds records of other steps. They are not evicted.
    const isOwn = /-[0-9a-f]{32}-$/.test(prefix)
    if (fault === 'evicted' && isOwn) cache.evict(cache.newest(prefix, clock.now()).at(-1))
    const newest = cache.newest(prefix, clock.now())
    const key = random.chance(0.5) ? newest[0] : newest.at(-1)
    if (key !== newest.at(-1)) this.#note('an older entry of the same second')
    if (isOwn && key !== undefined) traffic.recordFound = key
    return key
  }

  async restore({ key }: CacheDownload, signal: AbortSignal): ReturnType<Storage['restore']> {
    const fault = this.#draw(['download fails', 'download hangs', 'cut off'])
    await this.#wait(fault === 'download hangs', signal)
    if (fault === 'download fails') throw resetFailure()
    const content = this.#context.cache.contentOf(key)
    return content.subarray(0, fault === 'cut off' ? -1 : undefined)
  }

  async save({ key, content }: CacheFile, signal: AbortSignal): ReturnType<Storage['save']> {
    const { cache, clock, random, traffic } = this.#context
    if (signal.aborted || traffic.ended.signal.aborted) throw new Error(givenUp)
    traffic.moments.save.abort()
    if (saysReported({ key, content })) traffic.moments['last save'].abort()
    const fault = this.#draw([
      ...(['save refused', 'save hangs', 'save hangs after saving', 'save lost'] as const),
      ...(['save is late', 'save is late'] as const),
    ])
    const isLate = fault === 'save is late'
    const span = isLate ? random.sizeBetween(2_000, 180_000) : random.between(5, 400)
    const from = clock.now()
    const at = from + span
    const isSent = fault !== 'save refused' && fault !== 'save hangs' && fault !== 'save lost'
    const isAdded = isSent && cache.add(key, at, content)
    if (isAdded) traffic.records.push({ key, content, from, at })
    const hangs = fault === 'save hangs' || fault === 'save hangs after saving'
    const call = clock.sleep(hangs ? Infinity : span, traffic.ended.signal).then(() => {
      if (!isAdded && fault !== 'save lost') throw isSent ? new Error(hasKey) : resetFailure()
    })
    // The cache client continues a save that the step gives up.
    const answer = orAbort(call, signal).finally(() =>
      traffic.saves.push({ from, to: clock.now(), isGivenUp: signal.aborted }),
    )
    await answer.catch((error: unknown) => {
      throw signal.aborted ? new RunningSaveError(givenUp, call) : error
    })
  }

  #draw<const Fault extends string>(faults: readonly Fault[]): Fault | undefined {
    const { random, rate } = this.#context
    const fault = random.chance(rate) ? random.pick(faults) : undefined
    if (fault) this.#note(fault)
    return fault
  }

  #note(fault: string): void {
    this.#context.traffic.faults.push(`cache: ${fault}`)
    this.#context.traffic.cacheFaults++
  }

  /** Waits for the cache. Rejects if the signal aborts first. */
  async #wait(forEver: boolean, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#context
    const span = forEver ? Infinity : random.between(5, 400)
    await clock.sleep(span, signal).catch(() => {
      throw new Error(givenUp)
    })
  }
}

/** Returns a forged key. Everybody who may write to the cache can save such a key. */
function forge(prefix: string, random: SeededRandom): string {
  const id = Buffer.from('forged').toString('hex')
  const end = random.pick(['started', 'reported-success'])
  return `${prefix}v1-1-${end}-${id}-${'0'.repeat(32)}`
}

const givenUp = 'the cache did not finish in time'
const hasKey = 'the cache has it already'

function resetFailure(): StorageFailure {
  return new StorageFailure('the cache service cannot be reached (ECONNRESET)', 'temporary')
}
