import { createHash } from 'node:crypto'
import { SeedUnavailable, type BatchSeed, type SeedList } from '../../execution/batch/seed-list.ts'
import { UnreadableFile, type ByteRange, type ByteSource } from './byte-source.ts'
import { decode } from './seed-check.ts'
import { isInShard, type Shard } from './shard.ts'

/** The seeds found in a list: of each one where it is, and what tells it from others. */
export class FoundSeeds implements SeedList {
  readonly #source: ByteSource
  readonly #found: BatchSeed[] = []
  readonly #ranges: ByteRange[] = []
  readonly #occurrences = new Map<string, number>()

  constructor(source: ByteSource) {
    this.#source = source
  }

  get seeds(): readonly BatchSeed[] {
    return this.#found
  }

  get total(): number {
    return this.#found.length
  }

  add(range: ByteRange, text: string, label: string | undefined): void {
    const key = keyOf(text)
    const occurrence = this.#occurrences.get(key) ?? 0
    this.#occurrences.set(key, occurrence + 1)
    this.#found.push({ index: this.#found.length, label, key, occurrence })
    this.#ranges.push(range)
  }

  async textOf({ index, key }: BatchSeed): Promise<string> {
    const range = this.#ranges[index]
    if (!range) throw new RangeError(`no seed has the index ${index}`)
    const text = decode(await this.#read(range))
    if (text !== undefined && keyOf(text) === key) return text
    throw new SeedUnavailable('its file is no longer what it was when this step began')
  }

  async #read(range: ByteRange): Promise<Buffer> {
    try {
      return await this.#source.read(range)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      throw new SeedUnavailable(`its file cannot be read: ${error.message}`, { cause: error })
    }
  }

  close(): Promise<void> {
    return this.#source.close()
  }
}

/** The part of a list that belongs to a shard, with the list's own numbers. */
export function takeShard(list: SeedList, shard: Shard | undefined): SeedList {
  return {
    seeds: list.seeds.filter(({ index }) => isInShard(index, shard)),
    total: list.total,
    textOf: (seed) => list.textOf(seed),
    close: () => list.close(),
  }
}

/** 128 bits of the text's hash, as of a step's identity. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
