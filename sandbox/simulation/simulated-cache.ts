/** The simulated Actions cache: a key is all of an entry, and the newest of a prefix is found. */
import type { CacheDownload, CacheFile, CacheQuery } from '../../src/runner/storage/cache-client.ts'
import type { Storage } from '../../src/runner/storage/step-storage.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { Traffic } from './traffic.ts'

/** The service does not order entries of one second. */
const resolution = 1_000

/** What all steps of a workflow run have in common. */
export class SimulatedCache {
  #entries: { key: string; second: number; content: Uint8Array }[] = []

  /** False where there is an entry of that key. */
  add(key: string, now: number, content: Uint8Array): boolean {
    if (this.#entries.some((entry) => entry.key === key)) return false
    this.#entries.push({ key, second: Math.floor(now / resolution), content })
    return true
  }

  contentOf(key: string): Uint8Array {
    return this.#entries.find((entry) => entry.key === key)?.content ?? new Uint8Array()
  }

  /** The keys of the newest second, the one that was saved last at the end. */
  newest(prefix: string): string[] {
    const found = this.#entries.filter(({ key }) => key.startsWith(prefix))
    const last = found.at(-1)
    return found.filter(({ second }) => second === last?.second).map(({ key }) => key)
  }

  /** The record of another step, saved anew as this one's. */
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
  /** How often something goes wrong, from 0 to 1. */
  rate: number
}

/** One step's way to the cache. */
export class SimulatedStorage implements Storage {
  readonly #context: CacheContext

  constructor(context: CacheContext) {
    this.#context = context
  }

  prepare(): void {
    // Nothing is to be loaded.
  }

  upload(): ReturnType<Storage['upload']> {
    return Promise.reject(new Error('no artifact is uploaded'))
  }

  async find({ prefix }: CacheQuery, signal: AbortSignal): ReturnType<Storage['find']> {
    const { cache, random, traffic } = this.#context
    const fault = this.#draw([
      'look-up fails',
      'look-up hangs',
      'look-up hangs',
      'evicted',
      'evicted',
      'forged',
    ])
    if (!(await this.#pass(fault === 'look-up hangs', signal))) return givenUp
    if (fault === 'look-up fails') return failure
    if (fault === 'forged') {
      return { kind: 'found', key: cache.replay(prefix, random) ?? forge(prefix, random) }
    }
    // A look-up of the place alone finds another step's record, which is that step's to lose.
    const isOwn = /-[0-9a-f]{32}-$/.test(prefix)
    if (fault === 'evicted' && isOwn) cache.evict(cache.newest(prefix).at(-1))
    const newest = cache.newest(prefix)
    const key = random.chance(0.5) ? newest[0] : newest.at(-1)
    if (key !== newest.at(-1)) this.#note('an older one of the same second')
    if (key === undefined) return { kind: 'none' }
    if (isOwn) traffic.recordFound = key
    return { kind: 'found', key }
  }

  async restore({ key }: CacheDownload, signal: AbortSignal): ReturnType<Storage['restore']> {
    const fault = this.#draw(['download fails', 'download hangs', 'torn'])
    if (!(await this.#pass(fault === 'download hangs', signal))) return givenUp
    if (fault === 'download fails') return failure
    const content = this.#context.cache.contentOf(key)
    return { kind: 'restored', content: content.subarray(0, fault === 'torn' ? -1 : undefined) }
  }

  async save({ key, content }: CacheFile, signal: AbortSignal): ReturnType<Storage['save']> {
    const { cache, clock, traffic } = this.#context
    const fault = this.#draw(['save refused', 'save hangs', 'save hangs once saved', 'save lost'])
    if (!(await this.#pass(fault === 'save hangs', signal))) return givenUp
    if (fault === 'save refused') return failure
    if (traffic.closed) return givenUp
    const isSaved = fault === 'save lost' || cache.add(key, clock.now(), content)
    if (!(await this.#pass(fault === 'save hangs once saved', signal))) return givenUp
    return isSaved ? { kind: 'saved' } : { kind: 'failed', why: 'the cache has it already' }
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

  /** False where whoever asks did not wait for it. */
  async #pass(forEver: boolean, signal: AbortSignal): Promise<boolean> {
    const { clock, random } = this.#context
    const span = forEver ? Infinity : random.between(5, 400)
    return clock.sleep(span, signal).then(
      () => true,
      () => false,
    )
  }
}

/** What whoever may write to the cache can save: the success of an execution of their choice. */
function forge(prefix: string, random: SeededRandom): string {
  const id = Buffer.from('forged').toString('hex')
  const end = random.pick(['started', 'reported-success'])
  return `${prefix}v1-1-${end}-${id}-${'0'.repeat(32)}`
}

const givenUp = { kind: 'failed', why: 'the cache did not finish in time' } as const
const failure = { kind: 'failed', why: 'the cache service answered with 503' } as const
