/** Downloads a result or a log with its signed links, and gives the file its final name. */
import path from 'node:path'
import mime from 'mime'
import { Deadline, type Clock } from '../clock.ts'
import { isDiskFull, messageOf } from '../errors.ts'
import { refusesCredentials } from '../service/errors.ts'
import { fetchThroughLinks, maxStall, type NextLink } from './link-retry.ts'
import { ResumableFile, UnwritableFile } from './resumable-file.ts'
import { NoFreshLinkError } from './status-refresh.ts'
import type { Store } from './store.ts'

/** A file that was downloaded completely. */
export interface KeptFile {
  kind: 'file'
  path: string
  /** The content type in its original case, without parameters. Empty if the header is missing. */
  mediaType: string
  /** The size of the file in bytes. */
  size: number
  /** The content encoding (untrusted), if it is not supported. The file then remains encoded. */
  unknownEncoding: string | undefined
}

export type DownloadedFile =
  | KeptFile
  /** The automation is configured not to keep this file, so the service has no link. */
  | { kind: 'not-kept' }
  /**
   * The automation keeps the file, but the download failed. `why` is the reason and contains no
   * link. `obstacle` is the problem that a user has to solve, if it is known.
   */
  | { kind: 'unavailable'; why: string; obstacle?: Obstacle | undefined }

/**
 * Why a download cannot succeed. `credentials`: the service refused the credentials. `disk`: the
 * file cannot be written. `disk-full`: the disk has no space. `gone`: the service no longer keeps
 * the file.
 */
export type Obstacle = 'credentials' | 'disk' | 'disk-full'

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

/** How long a download may continue after the step's timeout, in milliseconds. */
const maxAfterDeadline = 600_000

/** The final path of a file is `<folder>/<name><extension>`. */
export interface DownloadTarget {
  folder: string
  name: string
  /** The file extension, such as `.log`. If undefined, the content type of the file decides. */
  extension?: string
}

/**
 * Downloads one file. Never rejects. If the download fails, the returned value says why, and the
 * incomplete file is removed.
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
 * Returns a content type without its parameters (`text/csv; charset=utf-8` → `text/csv`), or an
 * empty string if there is no content type. Keeps upper and lower case, because redaction would not
 * find a secret in another case.
 */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim() ?? ''
}

// JSON Lines has no registered media type. Servers use these media types.
const jsonLines: ReadonlyMap<string, string> = new Map([
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'jsonl'],
  ['application/x-jsonlines', 'jsonl'],
])

/** Returns the usual extension of a media type with its dot, or `.bin` if the type is unknown. */
export function extensionOf(mediaType: string): string {
  const type = mediaType.toLowerCase()
  const known = jsonLines.get(type) ?? mime.getExtension(type)
  if (known) return `.${known}`
  // A suffix such as `+json` names the format of a media type (RFC 6838, section 4.2.8).
  const suffix = /\+(json|xml|zip)$/.exec(type)?.[1]
  return suffix ? `.${suffix}` : '.bin'
}

/** Returns the absolute path of a downloaded file, or an empty string if there is no file. */
export function savedPathOf(file: DownloadedFile): string {
  return file.kind === 'file' ? file.path : ''
}
