import { newBlob, type Blob } from './blobs.ts'

/** An entry of the cache, or an upload that is not finished. */
export interface CacheEntry extends Blob {
  id: number
  key: string
  /** A hash of paths and compression method. Only a search for this version finds the entry. */
  version: string
}

// GitHub's ids are large numbers. The code must not depend on small ids.
const firstId = 7001

/** The cache entries of one repository and branch. */
export class CacheStore {
  /** The published entries, oldest first. */
  readonly entries: CacheEntry[] = []
  /** All entries, and the uploads that are not finished. */
  readonly #uploads: CacheEntry[] = []
  #nextId = firstId

  /** Returns true if an entry or an unfinished upload has this key and version. */
  isTaken(key: string, version: string): boolean {
    return this.#uploads.some((one) => isSame(one.key, key) && one.version === version)
  }

  begin(key: string, version: string): CacheEntry {
    const id = (this.#nextId += 1)
    const upload = { ...newBlob(), id, key, version }
    this.#uploads.push(upload)
    return upload
  }

  findUpload(matches: (upload: CacheEntry) => boolean): CacheEntry | undefined {
    return this.#uploads.find(matches)
  }

  publish(upload: CacheEntry): void {
    this.entries.push(upload)
  }

  /**
   * Returns the entry for the first key that has a match: the newest entry with this key, or else
   * the newest entry whose key begins with this key.
   */
  find(keys: readonly string[], version: string): CacheEntry | undefined {
    const offered = this.entries.filter((entry) => entry.version === version)
    for (const key of keys) {
      const found =
        offered.findLast((entry) => isSame(entry.key, key)) ??
        offered.findLast((entry) => isSame(entry.key.slice(0, key.length), key))
      if (found) return found
    }
    return undefined
  }
}

/** Compares keys without regard to case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
