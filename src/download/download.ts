/** Downloads one file through its signed links and gives it its final name. */
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
  /** Without parameters, as the store wrote it. Empty if the store named none. */
  mediaType: string
  /** Bytes. */
  size: number
  /** The content encoding that could not be decoded, if there is one. Untrusted. */
  unknownEncoding: string | undefined
}

export type DownloadedFile =
  | KeptFile
  /** The automation does not keep this file, so the service has no link. */
  | { kind: 'not-kept' }
  /**
   * The file exists, but it could not be fetched. `why` contains no link. `obstacle` is what has to
   * be fixed first, if that is known.
   */
  | { kind: 'unavailable'; why: string; obstacle?: Obstacle | undefined }

/**
 * Why a file cannot be fetched: the service refused the credentials, the disk cannot store the file
 * (`disk-full`: no space), or the service no longer has a link.
 */
export type Obstacle = 'credentials' | 'disk' | 'disk-full' | 'gone'

export function obstacleOfDisk(error: unknown): Obstacle {
  return isDiskFull(error) ? 'disk-full' : 'disk'
}

export interface DownloadContext {
  store: Store
  clock: Clock
  /** The time on `clock` when the step's timeout ends. */
  deadline: number
  cancelled: AbortSignal
}

/**
 * For how long a download that receives bytes may continue after the step's timeout. Milliseconds.
 */
const maxAfterDeadline = 600_000

/** The final path of a file is `<folder>/<name><extension>`. */
export interface DownloadTarget {
  folder: string
  name: string
  /** With its dot. If undefined, the content type decides. */
  extension?: string
}

/**
 * Downloads one file. Never rejects: a file that cannot be fetched is one of the outcomes, and
 * leaves nothing on the disk.
 * Source: docs/contributing/service.md, "Result and log links".
 */
export async function download(
  nextLink: NextLink,
  target: DownloadTarget,
  context: DownloadContext,
): Promise<DownloadedFile> {
  const { store, clock, deadline, cancelled } = context
  const rest = deadline + maxAfterDeadline - clock.now()
  const tooLate = 'it had not arrived 10 min after the input timeout ran out'
  using last = new Deadline(clock, rest, cancelled, tooLate)
  using stall = new Deadline(clock, maxStall, last.signal, 'no byte arrived for 30 s')
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
 * Returns the media type without parameters: `application/json; charset=utf-8` →
 * `application/json`. Empty if the header is missing. Upper and lower case are kept, so that
 * redaction finds a secret in it.
 */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim() ?? ''
}

// JSON Lines have no registered media type. These types are common.
const jsonLines: ReadonlyMap<string, string> = new Map([
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'jsonl'],
  ['application/x-jsonlines', 'jsonl'],
])

/**
 * Returns the usual extension of this media type with its dot, or `.bin` if the type is unknown.
 */
export function extensionOf(mediaType: string): string {
  const type = mediaType.toLowerCase()
  const known = jsonLines.get(type) ?? mime.getExtension(type)
  if (known) return `.${known}`
  // The structured syntax suffix (RFC 6838, section 4.2.8).
  const suffix = /\+(json|xml|zip)$/.exec(type)?.[1]
  return suffix ? `.${suffix}` : '.bin'
}

/** Returns the absolute path, or an empty string if there is no file. */
export function savedPathOf(file: DownloadedFile): string {
  return file.kind === 'file' ? file.path : ''
}
