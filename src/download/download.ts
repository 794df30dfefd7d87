/** Downloads a result or a log with its signed links, and gives the file its final name. */
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import mime from 'mime'
import { TimeUp } from '../clock.ts'
import { whyUnread } from '../service/service-errors.ts'
import { readBeginning, readTail } from './file-text.ts'
import { receive } from './receive.ts'
import { repeat, type DownloadRetry } from './retry.ts'
import type { Store } from './store.ts'

/** A file that was downloaded completely. */
export interface KeptFile {
  kind: 'file'
  path: string
  /**
   * The content type without parameters. Empty if the header is missing. Keeps upper and lower case,
   * because redaction would not find a secret in another case.
   */
  mediaType: string
  /** The size of the file in bytes. */
  size: number
}

export type DownloadedFile =
  | KeptFile
  /** The automation is configured not to keep this file, so the service has no link. */
  | { kind: 'not-kept' }
  /**
   * The automation keeps the file, but the download failed. `why` is the reason and contains no
   * link. `failure` is the error behind the reason.
   */
  | { kind: 'unavailable'; why: string; failure?: unknown }

/** What the log says about a download. All texts are untrusted, and none contains a link. */
export type DownloadEvent =
  /** The file is downloaded again after `pause` milliseconds. */
  | { kind: 'retry'; what: FileName; why: string; pause: number }
  /** The file is whole. Its content encoding is not supported, so its bytes were not decoded. */
  | { kind: 'encoded'; what: FileName; encoding: string }

export type FileName = 'result' | 'log'

/** Returns a signed link. A failed request for a new link is a failure of the try. */
export type NextLink = () => Promise<string>

export interface DownloadContext extends DownloadRetry {
  store: Store
  onDownload: (event: DownloadEvent) => void
}

/**
 * Downloads the result or the log into a folder. Each try uses a new link and starts over. Never
 * rejects. If the download fails, the returned value says why, and the incomplete file is removed.
 * Source: docs/contributing/service.md, "Result and log links".
 */
export async function download(
  what: FileName,
  nextLink: NextLink,
  folder: string,
  context: DownloadContext,
): Promise<DownloadedFile> {
  const { limit, onDownload } = context
  const name = what === 'log' ? 'run' : what
  const part = path.join(folder, `${name}.part`)
  const tryOnce = async () => receive(await nextLink(), part, context)
  const onRetry = (failure: unknown, pause: number) =>
    onDownload({ kind: 'retry', what, why: whyUnread(failure), pause })
  try {
    const { contentType, encoding, size } = await repeat(tryOnce, context, onRetry)
    const mediaType = contentType?.split(';', 1)[0]?.trim() ?? ''
    const extension = what === 'log' ? '.log' : await extensionFor(mediaType, part)
    const file = path.join(folder, `${name}${extension}`)
    await rename(part, file)
    if (encoding) onDownload({ kind: 'encoded', what, encoding })
    return { kind: 'file', path: file, mediaType, size }
  } catch (failure) {
    await rm(part, { force: true }).catch(() => undefined)
    return unavailable(failure, limit.signal)
  }
}

/** Returns a lost file. If the signal has aborted, its reason explains the loss. */
export function unavailable(failure: unknown, { aborted, reason }: AbortSignal): DownloadedFile {
  const whyAborted = reason instanceof TimeUp ? reason.message : 'cancelled'
  const why = aborted ? whyAborted : whyUnread(failure)
  return { kind: 'unavailable', why, failure }
}

/** Media types that say nothing about the file. Clients of S3 send them by default. */
const saysNothing = /^(?:(?:application|binary)\/octet-stream)?$/i

/** How much of each end of a file is read to recognise JSON, in bytes. */
const endLength = 1024

/** Returns the extension of a file. The content decides only if the media type says nothing. */
async function extensionFor(mediaType: string, file: string): Promise<string> {
  const isJson = saysNothing.test(mediaType) && (await looksLikeJson(file))
  return isJson ? '.json' : extensionOf(mediaType)
}

async function looksLikeJson(file: string): Promise<boolean> {
  const { text = '' } = await readBeginning(file, endLength)
  const { bytes } = await readTail(file, endLength)
  return /^\s*[[{]/.test(text) && /[\]}]\s*$/.test(bytes.toString())
}

// Formats at the end of media types that `mime` does not list: `text/json`, `application/x-ndjson`,
// `application/jsonlines`, and a suffix such as `+json` (RFC 6838, section 4.2.8).
const formats = /[/+.](?:x-)?(json|xml|csv|zip|ndjson|jsonl|jpg|parquet)(?:ines)?$/

/** Returns the usual extension of a media type with its dot, or `.bin` if the type is unknown. */
function extensionOf(mediaType: string): string {
  const type = mediaType.toLowerCase()
  const known = mime.getExtension(type) ?? formats.exec(type)?.[1]
  return known ? `.${known}` : '.bin'
}

/** Returns the absolute path of a downloaded file, or an empty string if there is no file. */
export function savedPathOf(file: DownloadedFile): string {
  return file.kind === 'file' ? file.path : ''
}
