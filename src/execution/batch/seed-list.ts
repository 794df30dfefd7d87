/** One seed of a list, which becomes one run of a batch. Its text is not among what is kept. */
export interface BatchSeed {
  /** Its place in the whole list, from 0; people see it counted from 1. */
  index: number
  /** The text that names the run, as found in the seed: untrusted, of at most 1,000 characters. */
  label: string | undefined
  /** The first 32 hex digits of the SHA-256 hash of its text. */
  key: string
  /** How many seeds before it in the whole list have the same text. */
  occurrence: number
}

/** The seeds of a step. A large file's texts are read when they are needed, one by one. */
export interface SeedList {
  /** Those of this step's shard, in the order of the list. */
  seeds: readonly BatchSeed[]
  /** How many seeds the whole list has, those of other shards included. */
  total: number
  /**
   * The seed's JSON text as it stands in the list, as a start request wants it.
   *
   * @throws SeedUnavailable when it can no longer be read, or is no longer what it was.
   */
  textOf(seed: BatchSeed): Promise<string>
  /** Ends the use of the list's file; to be called once nothing more is started. */
  close(): Promise<void>
}

/** Says in words for people why a seed's text can't be had any more. */
export class SeedUnavailable extends Error {
  override readonly name = 'SeedUnavailable'
}
