/**
 * Small files in the Actions cache, each under a name that whoever reads it knows too. Runs in the
 * thread that has the client; that thread's workspace is the home folder (open-thread.ts), since
 * the client keeps paths relative to the workspace.
 */
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../../errors.ts'
import { type CacheClient, inHome, type SaveReport } from './cache-client.ts'
import type { OnLine } from './client-line.ts'
import type { LimitTraffic } from './limit-traffic.ts'

/** What to save. */
export interface CacheFile {
  key: string
  /** Small letters, digits and hyphens; nothing else on this machine may use it at the same time. */
  name: string
  content: Uint8Array
}

/** The newest whose key begins with `prefix`, of those that were saved under that name. */
export interface CacheFileOrder {
  prefix: string
  name: string
  /** Bytes. No more is downloaded, nor read. */
  largest: number
}

/** `why` is as the client printed it: redact it before it is cut or shown. */
export type RestoreReport =
  | { kind: 'found'; key: string; content: Uint8Array }
  | { kind: 'none' }
  | { kind: 'failed'; why: string }

/** What a thread with these offers. */
export interface CacheFileServices {
  saveFile: { order: CacheFile; report: SaveReport }
  restoreFile: { order: CacheFileOrder; report: RestoreReport }
}

export class CacheFiles {
  readonly #client: Pick<CacheClient, 'restore' | 'store'>
  readonly #limitTraffic: LimitTraffic
  /** By place: the client goes on with a download that was given up, and unpacks what it has. */
  readonly #givenUp = new Map<string, Promise<unknown>>()

  constructor(client: Pick<CacheClient, 'restore' | 'store'>, limitTraffic: LimitTraffic) {
    this.#client = client
    this.#limitTraffic = limitTraffic
  }

  /** Never rejects; settles when the client does, which may be never. */
  async save({ key, name, content }: CacheFile, onLine: OnLine): Promise<SaveReport> {
    const place = placeOf(name)
    const file = inHome(place)
    await this.#givenUp.get(place)
    const write = async () => {
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    const report = await this.#client.store(place, key, write, onLine)
    await remove(file)
    return report
  }

  /** Never rejects; see `save`. */
  async restore(order: CacheFileOrder, onLine: OnLine): Promise<RestoreReport> {
    const { prefix, name, largest } = order
    const place = placeOf(name)
    const file = inHome(place)
    await this.#givenUp.get(place)
    // What an earlier step left there must not pass for what was downloaded.
    await remove(file)
    let download: Promise<unknown> = Promise.resolve()
    try {
      const found = await this.#limitTraffic(largest, () => {
        const report = this.#client.restore(place, prefix, { lookupOnly: false }, onLine)
        download = report
        return report
      })
      if (found.kind !== 'found') return found
      return { ...found, content: await readSmall(file, largest) }
    } catch (error) {
      this.#givenUp.set(
        place,
        download.then(() => remove(file)),
      )
      return { kind: 'failed', why: messageOf(error) }
    } finally {
      await remove(file)
    }
  }
}

/** A part of the version under which an entry is found, like the memory's own (cache-client.ts). */
function placeOf(name: string): string {
  return `~/.run-automation-files/${name}`
}

/** An archive may hold anything: a link is not followed. */
async function readSmall(file: string, largest: number): Promise<Uint8Array> {
  const found = await lstat(file).catch(() => undefined)
  if (!found?.isFile()) throw new Error('the cache entry holds another file')
  if (found.size > largest) throw new Error(`the cache entry is larger than ${largest} bytes`)
  return readFile(file)
}

async function remove(file: string): Promise<void> {
  await rm(file, { recursive: true, force: true }).catch(() => undefined)
}
