import { newBlob, type Blob } from './blobs.ts'

/** An entry of the cache. It exists from the beginning of its upload. */
export interface CacheEntry extends Blob {
  id: number
  key: string
  /** Hash of paths and compression method: an entry is found under its own version only. */
  version: string
}

// The service's ids are large numbers, so no code may rely on small ones.
const firstId = 7001

/** The entries of one repository and branch, oldest first. They outlive steps and attempts. */
export class CacheStore {
  readonly entries: CacheEntry[] = []
  /** Running uploads and the uploads of the entries. */
  #uploads: CacheEntry[] = []
  #nextId = firstId

  /** Returns true if an entry or a running upload has this key and version. */
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

  /** Key by key: that very key, or else the newest of those that begin with it. */
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

  /** Removes all entries and their uploads. */
  evict(): void {
    const gone = this.entries.splice(0)
    this.#uploads = this.#uploads.filter((upload) => !gone.includes(upload))
  }
}

/** Keys are compared without regard to case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
