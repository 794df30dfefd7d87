/**
 * Small files in the Actions cache, each saved under a key and a name. A record that is its key has
 * an empty file behind it, and nothing of it is ever downloaded.
 *
 * What a call came to is printed in its lines: `undefined` from a look-up means a miss or an error,
 * and a save answers -1, or with v1 an id, for whatever went wrong.
 */
import { execFile } from 'node:child_process'
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type * as cache from '@actions/cache'
import { messageOf } from '../../errors.ts'
import { noCache, noZstd } from '../../messages/memory.ts'
import { type ClientCalls, type ClientLine, type OnLine, readClientLine } from './client-calls.ts'

/** The part of `@actions/cache` that is used. */
export type CacheToolkit = Pick<typeof cache, 'isFeatureAvailable' | 'restoreCache' | 'saveCache'>

/** What to save. */
export interface CacheFile {
  key: string
  /**
   * Small letters, digits and hyphens. A file that has content is removed from this machine after
   * its save, so no other step may use its name at the same time.
   */
  name: string
  content: Uint8Array
}

/** Where to look: entries that were saved under this name. */
export interface CacheQuery {
  /** Services differ in whether capitals are small letters, and act keeps small ones only. */
  prefix: string
  name: string
}

export interface CacheDownload {
  /** The whole key. */
  key: string
  name: string
  /** Bytes. Of a larger file nothing is read. */
  maxSize: number
}

/** `why` is as the client printed it: redact it before it is cut or shown. */
export interface Failed {
  kind: 'failed'
  why: string
}
export type FindReport = { kind: 'found'; key: string } | { kind: 'none' } | Failed
export type SaveReport = { kind: 'saved' } | Failed
export type RestoreReport = { kind: 'restored'; content: Uint8Array } | Failed

// Part of the version under which entries are found, as is the flag for Windows: an entry is seen
// on every runner only while both stay the same. `~` is hashed as it stands. Each path is that of
// one file, so that nothing else that lies in this folder is saved.
const folder = '~/.run-automation'
const onAllSystems = true

/** No method rejects; each settles when the client does, which may be never. */
export class CacheClient {
  readonly #toolkit: CacheToolkit
  readonly #calls: Pick<ClientCalls, 'run'>

  constructor(toolkit: CacheToolkit, calls: Pick<ClientCalls, 'run'>) {
    this.#toolkit = toolkit
    this.#calls = calls
  }

  /** The newest key that begins with `prefix`. Downloads nothing. */
  async find({ prefix, name }: CacheQuery, onLine: OnLine): Promise<FindReport> {
    const report = await this.#restore(name, prefix, { lookupOnly: true }, onLine)
    if (report.kind !== 'none' || (await hasZstd())) return report
    return failed(noZstd)
  }

  async save({ key, name, content }: CacheFile, onLine: OnLine): Promise<SaveReport> {
    if (!this.#toolkit.isFeatureAvailable()) return failed(noCache)
    const file = inHome(name)
    try {
      await place(file, content)
    } catch (error) {
      return failed(messageOf(error))
    }
    const { value: id = -1, lines } = await this.#call(onLine, () =>
      this.#toolkit.saveCache([placeOf(name)], key, undefined, onAllSystems),
    )
    if (content.length > 0) await remove(file)
    const problem = problemIn(lines)
    if (problem !== undefined || id === -1) {
      return failed(problem ?? 'the cache client did not say why')
    }
    // It is there, and a re-run on a runner with zstd does not see it.
    return (await hasZstd()) ? { kind: 'saved' } : failed(noZstd)
  }

  /** Downloads what `find` found, and unpacks it in the home folder's part that is ours. */
  async restore({ key, name, maxSize }: CacheDownload, onLine: OnLine): Promise<RestoreReport> {
    const file = inHome(name)
    // What an earlier step left there must not pass for what was downloaded.
    await remove(file)
    const found = await this.#restore(name, key, { lookupOnly: false }, onLine)
    try {
      if (found.kind === 'failed') return found
      return { kind: 'restored', content: await readSmall(file, maxSize) }
    } catch (error) {
      return failed(messageOf(error))
    } finally {
      await remove(file)
    }
  }

  async #restore(
    name: string,
    prefix: string,
    options: { lookupOnly: boolean },
    onLine: OnLine,
  ): Promise<FindReport> {
    if (!this.#toolkit.isFeatureAvailable()) return failed(noCache)
    const { value: key, lines } = await this.#call(onLine, () =>
      this.#toolkit.restoreCache([placeOf(name)], prefix, [prefix], options, onAllSystems),
    )
    if (key?.startsWith(prefix)) return { kind: 'found', key }
    if (key !== undefined) return failed('the cache answered with a key that was not asked for')
    const problem = problemIn(lines)
    return problem === undefined ? { kind: 'none' } : failed(problem)
  }

  async #call<Value>(onLine: OnLine, task: () => Promise<Value>) {
    const lines: ClientLine[] = []
    const take = (line: string) => {
      lines.push(readClientLine(line))
      onLine(line)
    }
    try {
      return { value: await this.#calls.run(take, task), lines }
    } catch (error) {
      lines.push({ command: 'error', text: messageOf(error) })
      return { value: undefined, lines }
    }
  }
}

function placeOf(name: string): string {
  return `${folder}/${name}`
}

/** Where that lies on this machine. */
function inHome(name: string): string {
  return path.join(homedir(), folder.slice('~/'.length), name)
}

/** Steps that run at once share an empty file, so one that is there is left as it is. */
async function place(file: string, content: Uint8Array): Promise<void> {
  const found = await lstat(file).catch(() => undefined)
  if (content.length === 0 && found?.isFile() && found.size === 0) return
  const parent = path.dirname(file)
  await mkdir(parent, { recursive: true })
  // A link would have us write and remove where it leads to.
  if (!(await lstat(parent)).isDirectory()) throw new Error(`${folder} is not a folder`)
  await remove(file)
  await writeFile(file, content)
}

/** An archive may hold anything: a link is not followed. */
async function readSmall(file: string, maxSize: number): Promise<Uint8Array> {
  const found = await lstat(file).catch(() => undefined)
  if (!found?.isFile()) throw new Error('the cache entry is gone, or holds another file')
  if (found.size > maxSize) throw new Error(`the cache entry is larger than ${maxSize} bytes`)
  return readFile(file)
}

async function remove(file: string): Promise<void> {
  await rm(file, { recursive: true, force: true }).catch(() => undefined)
}

/** As the toolkit finds out how to compress, which is a part of an entry's version. */
async function hasZstd(): Promise<boolean> {
  try {
    const { stdout, stderr } = await promisify(execFile)('zstd', ['--quiet', '--version'])
    return `${stdout}${stderr}`.trim() !== ''
  } catch {
    return false
  }
}

/**
 * How a line begins that says why a call failed. "Failed to reserve cache" comes before another, and
 * alone has the reason: v2 prints it in a debug line.
 */
const failure =
  /^(?:Failed to (?:restore|save|reserve cache: Error): |(?=Cache (?:restore|save) skipped))/

function problemIn(lines: readonly ClientLine[]): string | undefined {
  const reason = lines.find(({ text }) => failure.test(text))?.text.replace(failure, '')
  return reason ?? lines.find(({ command }) => ['warning', 'error'].includes(command))?.text
}

function failed(why: string): Failed {
  return { kind: 'failed', why }
}
