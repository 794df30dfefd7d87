import type { StartRequest } from '../../service/requests.ts'

/** One seed of a list, without its text. */
export interface BatchSeed {
  /** In the whole list, from 0. */
  index: number
  /** As found in the seed: untrusted, any text. */
  label: string | undefined
  /** Hash of the seed's text. */
  key: string
  /** How many seeds before it in the whole list have the same text. */
  occurrence: number
}

/** The seeds of a batch. Their texts are read when they are sent. */
export interface SeedList {
  /** Those of this shard, in order. */
  seeds: readonly BatchSeed[]
  /** Seeds in the whole list. */
  total: number
  textOf(seed: BatchSeed): Promise<NonNullable<StartRequest['seed']>>
  close(): Promise<void>
}
