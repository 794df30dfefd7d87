/** One file, from its signed links to its final name on the disk. */
import path from 'node:path'
import mime from 'mime'
import { Deadline, type Clock } from '../clock.ts'
import { isDiskFull, messageOf } from '../errors.ts'
import { refusesCredentials } from '../service/errors.ts'
import { fetchThroughLinks, maxStall, type NextLink } from './link-retry.ts'
import { ResumableFile, UnwritableFile } from './resumable-file.ts'
import { NoFreshLinkError } from './status-refresh.ts'
import type { Store } from './store.ts'

/** A complete file on the disk. */
export interface KeptFile {
  kind: 'file'
  path: string
  /** Without its parameters, in lower case; empty where the store named none. */
  mediaType: string
  /** Bytes. */
  size: number
  /** The content encoding, untrusted, that is not supported: the file is still in it. */
  unknownEncoding: string | undefined
}

/** What became of a result or a log. */
export type DownloadedFile =
  | KeptFile
  /** The automation isn't set to keep it: the service has no link. */
  | { kind: 'not-kept' }
  /**
   * There is one that could not be fetched, and why: the text has no link in it. `obstacle`: what
   * has to be mended before it can be, where that is known.
   */
  | { kind: 'unavailable'; why: string; obstacle?: Obstacle | undefined }

/**
 * The service refused the credentials, the disk did not take the file (`disk-full`: it has no room),
 * or the service has no link to it any more.
 */
export type Obstacle = 'credentials' | 'disk' | 'disk-full' | 'gone'

export function obstacleOfDisk(error: unknown): Obstacle {
  return isDiskFull(error) ? 'disk-full' : 'disk'
}

/** What a download needs besides its links. */
export interface DownloadContext {
  store: Store
  clock: Clock
  /** The moment on `clock` at which the step's time runs out. */
  deadline: number
  cancelled: AbortSignal
}

/** How long a download that receives bytes may go on after the step's time has run out. Milliseconds. */
const maxAfterDeadline = 600_000

/** Where a file goes: to `<folder>/<name><extension>`. */
export interface DownloadTarget {
  folder: string
  name: string
  /** With its dot. Where it is missing, the content type decides. */
  extension?: string
}

/**
 * Fetches one file. Never rejects: a file that cannot be had is one of the outcomes, and leaves
 * nothing behind on the disk. Source: docs/service.md, "Result and log links".
 */
export async function download(
  nextLink: NextLink,
  target: DownloadTarget,
  context: DownloadContext,
): Promise<DownloadedFile> {
  const { store, clock, deadline, cancelled } = context
  const rest = deadline + maxAfterDeadline - clock.now()
  const tooLate = 'it had not come 10 min after the input timeout ran out'
  using last = new Deadline(clock, rest, cancelled, tooLate)
  using stall = new Deadline(clock, maxStall, last.signal, 'no byte came for 30 s')
  const file = new ResumableFile(path.join(target.folder, `${target.name}.part`), stall.signal)
  try {
    const fetched = await fetchThroughLinks(nextLink, file, { store, clock, stall })
    if (fetched === undefined) return { kind: 'not-kept' }
    const mediaType = mediaTypeOf(fetched.contentType)
    const extension = target.extension ?? extensionOf(mediaType)
    const finalPath = path.join(target.folder, `${target.name}${extension}`)
    const size = await file.keepAs(finalPath)
    const { unknownEncoding } = file
    return { kind: 'file', path: finalPath, mediaType, size, unknownEncoding }
  } catch (error) {
    await file.discard()
    return { kind: 'unavailable', why: messageOf(error), obstacle: obstacleIn(error) }
  }
}

function obstacleIn(error: unknown): Obstacle | undefined {
  if (error instanceof UnwritableFile) return obstacleOfDisk(error)
  const isRefused = error instanceof NoFreshLinkError && refusesCredentials(error.cause)
  return isRefused ? 'credentials' : undefined
}

/**
 * `application/json; charset=utf-8` → `application/json`; in the letters that came, so
 * that a secret in it is found; empty where the answer has none.
 */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim() ?? ''
}

// JSON Lines have no registered media type. These are the usual ones.
const jsonLines: ReadonlyMap<string, string> = new Map([
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'jsonl'],
  ['application/x-jsonlines', 'jsonl'],
])

/** The extension, dot included, that a file of this media type usually has; `.bin` if unknown. */
export function extensionOf(mediaType: string): string {
  const type = mediaType.toLowerCase()
  const known = jsonLines.get(type) ?? mime.getExtension(type)
  if (known) return `.${known}`
  // The structured syntax suffix (RFC 6838, section 4.2.8).
  const suffix = /\+(json|xml|zip)$/.exec(type)?.[1]
  return suffix ? `.${suffix}` : '.bin'
}

/** The absolute path; empty where there is no file. */
export function pathOf(file: DownloadedFile): string {
  return file.kind === 'file' ? file.path : ''
}
