/** One seed of a list, which becomes one run of a batch. */
export interface BatchSeed {
  /** Its place in the whole list, from 0; people see it counted from 1. */
  index: number
  /** Its JSON text as it is written in the list, as a start request wants it. */
  text: string
  /** The text that names the run, as found in the seed: untrusted, of at most 1,000 characters. */
  label: string | undefined
  /** The first 32 hex digits of the SHA-256 hash of its text. */
  key: string
  /** How many seeds before it in the whole list have the same text. */
  occurrence: number
}

/** The seeds of a step. */
export interface SeedList {
  /** Those of this step's shard, in the order of the list. */
  seeds: readonly BatchSeed[]
  /** How many seeds the whole list has, those of other shards included. */
  total: number
}
