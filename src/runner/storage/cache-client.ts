/**
 * Saves and reads small files in the Actions cache, each under a key and a name. If the key is the
 * complete record, the file is empty and never downloaded.
 *
 * GitHub's client reports the outcome of a call only in the lines that the client prints. A look-up
 * returns `undefined` if no entry exists, and also after an error. A failed save returns -1 or,
 * with v1 of the cache, an id. Our calls reject instead, usually with a line of the client.
 */
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import type * as cache from '@actions/cache'
import { messageOf } from '../../errors.ts'
import { noCache, noHome } from '../../messages/record-problems.ts'
import type { ClientCalls, ClientLine, OnLine } from './client-calls.ts'
import { explain } from './storage-failure.ts'

export type CacheToolkit = Pick<typeof cache, 'isFeatureAvailable' | 'restoreCache' | 'saveCache'>

export interface CacheFile {
  key: string
  /**
   * The name of the file (a-z, 0-9 and hyphens). Parallel steps must not use the same name for a
   * file with content, because the file is removed from this machine after its save.
   */
  name: string
  content: Uint8Array
}

/** A search for the newest key with `prefix` among entries whose file has this `name`. */
export interface CacheQuery {
  /** The prefix in lower case, because some services ignore case and others do not. */
  prefix: string
  name: string
}

export interface CacheDownload {
  key: string
  name: string
  maxSize: number
}

// A runner finds an entry only if the path and the system flag of the entry are equal to those of
// the search. So the path begins with a literal `~`, and the flag says that all systems share
// entries. Each entry contains only one file of this folder.
const folder = '~/.run-automation'
const onAllSystems = true

const service = 'cache service'
const foreignKey = 'the cache answered with a key that was not asked for'

/** A method may never settle, because it waits for the toolkit. */
export class CacheClient {
  readonly #toolkit: CacheToolkit
  readonly #calls: Pick<ClientCalls, 'run'>

  constructor(toolkit: CacheToolkit, calls: Pick<ClientCalls, 'run'>) {
    this.#toolkit = toolkit
    this.#calls = calls
  }

  /**
   * Returns the newest key that begins with `prefix`, or undefined if there is none. Does not
   * download the entry.
   */
  find({ prefix, name }: CacheQuery, onLine: OnLine): Promise<string | undefined> {
    return this.#restore(name, prefix, { lookupOnly: true }, onLine)
  }

  async save({ key, name, content }: CacheFile, onLine: OnLine): Promise<void> {
    const file = inHome(name)
    const saved = await this.#call(onLine, async () => {
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
      return this.#toolkit.saveCache([placeOf(name)], key, undefined, onAllSystems)
    })
    if (content.length > 0) await remove(file)
    const { value: id = -1, problem, exchanges } = saved
    if (problem !== undefined || id === -1) {
      throw explain(service, problem ?? 'the cache client did not say why', exchanges)
    }
  }

  /** Downloads a cache entry and returns the content of its file. */
  async restore({ key, name, maxSize }: CacheDownload, onLine: OnLine): Promise<Uint8Array> {
    const file = inHome(name)
    // Removes a file of an earlier step, which could be mistaken for the downloaded file.
    await remove(file)
    try {
      await this.#restore(name, key, { lookupOnly: false }, onLine)
      return await readSmall(file, maxSize)
    } finally {
      await remove(file)
    }
  }

  async #restore(
    name: string,
    prefix: string,
    options: { lookupOnly: boolean },
    onLine: OnLine,
  ): Promise<string | undefined> {
    const restored = await this.#call(onLine, () =>
      this.#toolkit.restoreCache([placeOf(name)], prefix, [prefix], options, onAllSystems),
    )
    const { value: key, exchanges } = restored
    if (key?.startsWith(prefix)) return key
    const problem = key === undefined ? restored.problem : foreignKey
    if (problem !== undefined) throw explain(service, problem, exchanges)
    return undefined
  }

  async #call<Value>(onLine: OnLine, task: () => Promise<Value>) {
    if (!this.#toolkit.isFeatureAvailable()) throw new Error(noCache)
    // The toolkit uses paths relative to GITHUB_WORKSPACE, which differs between runners.
    process.env['GITHUB_WORKSPACE'] = homeFolder()
    const { value, error, lines, exchanges } = await this.#calls.run(onLine, task)
    return { value, problem: problemIn(lines) ?? (error && messageOf(error)), exchanges }
  }
}

function placeOf(name: string): string {
  return `${folder}/${name}`
}

function inHome(name: string): string {
  return path.join(homeFolder(), folder.slice('~/'.length), name)
}

/** Returns the home folder. Throws if HOME is relative, because HOME would be in the workspace. */
function homeFolder(): string {
  try {
    const home = homedir()
    if (path.isAbsolute(home)) return home
  } catch {
    // A user of a container may have neither HOME nor an entry in /etc/passwd.
  }
  throw new Error(noHome)
}

/** Reads a small regular file. Refuses links, because a cache entry may contain anything. */
async function readSmall(file: string, maxSize: number): Promise<Uint8Array> {
  const found = await lstat(file).catch(() => undefined)
  if (!found?.isFile()) throw new Error('the cache entry is gone, or holds another file')
  if (found.size > maxSize) throw new Error(`the cache entry is larger than ${maxSize} bytes`)
  return readFile(file)
}

async function remove(file: string): Promise<void> {
  await rm(file, { recursive: true, force: true }).catch(() => undefined)
}

/**
 * Matches the beginning of a line that says why a call failed. A line that begins with "Failed to
 * reserve cache" contains the reason. The lines after this line do not contain the reason.
 */
const failure =
  /^(?:Failed to (?:restore|save|reserve cache: Error): |(?=Cache (?:restore|save) skipped))/

function problemIn(lines: readonly ClientLine[]): string | undefined {
  const reason = lines.find(({ text }) => failure.test(text))?.text.replace(failure, '')
  return reason ?? lines.find(({ command }) => ['warning', 'error'].includes(command))?.text
}
