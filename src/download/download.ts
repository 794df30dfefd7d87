/** One kept file, from its signed links to the disk. */
import { rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { TimeUp, type Clock } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { Store } from './store.ts'
import { ResumableFile } from './resumable-file.ts'
import { extensionOf, mediaTypeOf } from './media-type.ts'
import { StallTimeout, type StallLimits } from './stall-timeout.ts'
import { NoFreshLink } from './status-refresh.ts'

export interface KeptFile {
  kind: 'file'
  path: string
  mediaType: string
  /** Bytes. */
  size: number
  /** The content encoding, untrusted, that isn't understood: the file is still in it. */
  unknownEncoding: string | undefined
}

/** What became of a result or a log. */
export type DownloadedFile =
  | KeptFile
  /** The automation isn't set to keep it: the service has no link. */
  | { kind: 'not-kept' }
  | { kind: 'unavailable'; why: string }

export interface DownloadContext {
  store: Store
  clock: Clock
  /** The moment at which the step's time runs out (see {@link StallTimeout}). */
  deadline: number
  cancelled: AbortSignal
  stallTimeout?: StallLimits
}

/**
 * A link that works now, `null` where the service has none any more. The first call may give the
 * one at hand; later ones ask the service, for links live 60 s ("Limits").
 */
export type NextLink = (signal: AbortSignal) => Promise<string | null>

/**
 * The store may be down for a moment; a file that five links in a row don't bring is lost. That
 * the service gives no link counts for none of them: it has a patience of its own.
 */
const mostFruitlessLinks = 5
const firstPause = 500

/**
 * Fetches to `<folder>/<name><extension>`; without `extension` the content type decides. Never
 * rejects: a file that cannot be had is an end, too, and leaves nothing behind on the disk.
 */
export async function download(
  nextLink: NextLink,
  target: { folder: string; name: string; extension?: string },
  context: DownloadContext,
): Promise<DownloadedFile> {
  const { clock, deadline, cancelled } = context
  using stallTimeout = new StallTimeout(clock, deadline, cancelled, context.stallTimeout)
  const file = new ResumableFile(
    path.join(target.folder, `${target.name}.part`),
    stallTimeout.signal,
  )
  try {
    const mediaType = await fetchThroughLinks(nextLink, file, stallTimeout, context)
    if (mediaType === undefined) return { kind: 'not-kept' }
    const extension = target.extension ?? extensionOf(mediaType)
    const finalPath = path.join(target.folder, `${target.name}${extension}`)
    await rename(file.path, finalPath)
    const { size } = await stat(finalPath)
    const { unknownEncoding } = file
    return { kind: 'file', path: finalPath, mediaType, size, unknownEncoding }
  } catch (error) {
    await file.discard()
    return { kind: 'unavailable', why: messageOf(error) }
  }
}

/** The media type of the completed file; undefined where there is no link at all. */
async function fetchThroughLinks(
  nextLink: NextLink,
  file: ResumableFile,
  stallTimeout: StallTimeout,
  { store, clock }: DownloadContext,
): Promise<string | undefined> {
  let furthest = 0
  let fruitless = 0
  let why = 'no byte came'
  for (;;) {
    try {
      if (fruitless > 0) await clock.sleep(firstPause * 2 ** (fruitless - 1), stallTimeout.signal)
      const link = await stallTimeout.suspend(() => nextLink(stallTimeout.signal))
      if (link === null) return undefined
      return await fetchOnce(link, file, store, stallTimeout)
    } catch (error) {
      why = whyFruitless(error, stallTimeout.signal, why)
    }
    fruitless = file.received > furthest ? 0 : fruitless + 1
    furthest = Math.max(furthest, file.received)
    if (fruitless === mostFruitlessLinks) throw new Error(why)
  }
}

async function fetchOnce(
  link: string,
  file: ResumableFile,
  store: Store,
  stallTimeout: StallTimeout,
): Promise<string> {
  const opened = await store.open(link, file.resumption(), stallTimeout.signal)
  const { status, headers, body } = opened
  try {
    if (status !== 200 && status !== 206) {
      // 416: what we have does not fit what the store has now.
      if (status === 416) await file.discard()
      throw new Error(`the store answered ${String(status)}`)
    }
    await file.begin(status, headers)
    for await (const chunk of body) {
      stallTimeout.renew()
      await file.write(chunk)
    }
    await file.complete()
    return mediaTypeOf(headers['content-type'])
  } finally {
    opened.close()
  }
}

/** Why this link brought nothing. @throws Error where no other link may be tried. */
function whyFruitless(error: unknown, { aborted, reason }: AbortSignal, before: string): string {
  if (aborted && !(reason instanceof TimeUp)) throw new Error('cancelled', { cause: error })
  if (error instanceof NoFreshLink) throw error
  if (aborted) throw new Error(`no byte came for too long (${before})`, { cause: error })
  return messageOf(error)
}
