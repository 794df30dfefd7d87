/**
 * The Actions cache as a memory of keys. The key is all that is remembered: the entry behind it is
 * an empty folder, and nothing is downloaded (files: cache-files.ts). Runs in the thread that has
 * the client.
 *
 * What a call came to is told by its lines: `undefined` from a look-up means a miss or an error,
 * and a save answers -1, or with v1 an id, for whatever went wrong.
 */
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import type * as cache from '@actions/cache'
import { messageOf } from '../../errors.ts'
import { noCache } from '../../messages/memory.ts'
import type { CaptureLines } from './capture-lines.ts'
import { type ClientLine, type OnLine, readClientLine } from './client-line.ts'

/** The part of `@actions/cache` that is used. */
export type CacheToolkit = Pick<typeof cache, 'isFeatureAvailable' | 'restoreCache' | 'saveCache'>

/** `why` in any of these is as the client printed it: redact it before it is cut or shown. */
export type FindReport =
  { kind: 'found'; key: string } | { kind: 'none' } | { kind: 'failed'; why: string }

export type SaveReport =
  | { kind: 'saved' }
  /** There is an entry of that key, or an upload of one under way. */
  | { kind: 'taken' }
  /** The job's token, or its cache mode, permits no writing. */
  | { kind: 'denied'; why: string }
  | { kind: 'failed'; why: string }

/** What a thread with this client offers. */
export interface CacheServices {
  find: { order: { prefix: string }; report: FindReport }
  save: { order: { key: string }; report: SaveReport }
}

// Part of the version under which entries are found, as is the flag for Windows: an entry is seen
// on every runner only while both stay the same. `~` is hashed as it stands.
const folder = '~/.run-automation'
const onAllSystems = true

const writeDenied = 'cache write denied:'

export class CacheClient {
  readonly #toolkit: CacheToolkit
  readonly #capture: CaptureLines

  constructor(toolkit: CacheToolkit, capture: CaptureLines) {
    this.#toolkit = toolkit
    this.#capture = capture
  }

  /**
   * The newest key that begins with `prefix`. Services differ in whether they tell capitals from
   * small letters, and act keeps small ones only: keys must have none. Never rejects; settles when
   * the client does, which may be never.
   */
  async find(prefix: string, onLine: OnLine): Promise<FindReport> {
    return this.restore(folder, prefix, { lookupOnly: true }, onLine)
  }

  /** Never rejects; settles when the client does, which may be never. */
  async save(key: string, onLine: OnLine): Promise<SaveReport> {
    const makeFolder = () => mkdir(inHome(folder), { recursive: true })
    return this.store(folder, key, makeFolder, onLine)
  }

  /** Like `find`, of what was stored as `place`; with its bytes unpacked there, unless told not to. */
  async restore(
    place: string,
    prefix: string,
    options: { lookupOnly: boolean },
    onLine: OnLine,
  ): Promise<FindReport> {
    if (!this.#toolkit.isFeatureAvailable()) return { kind: 'failed', why: noCache }
    const { value: key, lines } = await this.#call(onLine, () =>
      this.#toolkit.restoreCache([place], prefix, [prefix], options, onAllSystems),
    )
    if (key?.startsWith(prefix)) return { kind: 'found', key }
    if (key !== undefined) return failed('the cache answered with a key that was not asked for')
    const problem =
      textAfter('Failed to restore: ', lines) ??
      lines.find(({ text }) => text.startsWith('Cache restore skipped'))?.text ??
      complaintIn(lines)
    return problem === undefined ? { kind: 'none' } : failed(problem)
  }

  /** Like `save`, of what `prepare` puts at `place`. */
  async store(
    place: string,
    key: string,
    prepare: () => Promise<unknown>,
    onLine: OnLine,
  ): Promise<SaveReport> {
    if (!this.#toolkit.isFeatureAvailable()) return { kind: 'failed', why: noCache }
    const { value: id = -1, lines } = await this.#call(onLine, async () => {
      await prepare()
      return this.#toolkit.saveCache([place], key, undefined, onAllSystems)
    })
    const denied = denialIn(lines)
    if (denied !== undefined) return { kind: 'denied', why: denied }
    // v2 tells of a reservation that failed in a debug line only.
    const problem =
      textAfter('Failed to reserve cache: Error: ', lines) ??
      textAfter('Failed to save: ', lines) ??
      complaintIn(lines)
    if (problem === undefined && id !== -1) return { kind: 'saved' }
    if (/\(409\)|already exist/i.test(problem ?? '')) return { kind: 'taken' }
    return failed(problem ?? 'the cache client did not say why')
  }

  async #call<Value>(onLine: OnLine, task: () => Promise<Value>) {
    const lines: ClientLine[] = []
    const take = (line: string) => {
      lines.push(readClientLine(line))
      onLine(line)
    }
    try {
      return { value: await this.#capture(take, task), lines }
    } catch (error) {
      lines.push({ command: 'error', text: messageOf(error) })
      return { value: undefined, lines }
    }
  }
}

/** Where a path that begins with `~/` lies on this machine. */
export function inHome(place: string): string {
  return path.join(homedir(), place.slice('~/'.length))
}

/** The service's words alone; the last line has them, after one with the whole answer. */
function denialIn(lines: readonly ClientLine[]): string | undefined {
  const isDenial = ({ text }: ClientLine) =>
    text.includes(writeDenied) || text.startsWith('Cache save skipped')
  const text = lines.findLast(isDenial)?.text
  return text?.slice(Math.max(0, text.indexOf(writeDenied)))
}

function textAfter(start: string, lines: readonly ClientLine[]): string | undefined {
  return lines.find(({ text }) => text.startsWith(start))?.text.slice(start.length)
}

function complaintIn(lines: readonly ClientLine[]): string | undefined {
  return lines.find(({ command }) => command === 'warning' || command === 'error')?.text
}

function failed(why: string): { kind: 'failed'; why: string } {
  return { kind: 'failed', why }
}
