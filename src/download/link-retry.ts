/** Downloads one file. If a signed link fails, requests a new link and continues the download. */
import { TimeUp, type Clock, type Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { whyUnread } from '../service/errors.ts'
import { UnwritableFile, type ResumableFile } from './resumable-file.ts'
import { NoFreshLinkError } from './status-refresh.ts'
import type { Store } from './store.ts'

/**
 * Returns a valid link, or `null` if the automation does not keep the file. The first call may
 * return a link that is already known. Later calls request a new link from the service. Rejects
 * with NoFreshLinkError if later calls would also fail. Rejects with another error if a later call
 * may succeed.
 */
export type NextLink = (signal: AbortSignal) => Promise<string | null>

export interface FetchContext {
  store: Store
  clock: Clock
  /** Ends the download after {@link maxStall} without a byte. Each byte restarts the limit. */
  stall: Deadline
}

/** How long a download may wait for the next byte, in milliseconds. */
export const maxStall = 30_000

// How many links in a row may fail without a new byte. A failed request for a link does not count.
// Source: docs/contributing/service.md, "Result and log links".
export const maxLinksWithoutProgress = 5
/**
 * The pause after the first link that delivered no new byte, in milliseconds. Each further pause is
 * doubled.
 */
const firstPause = 500

/**
 * Downloads into `file`. With each new link, the download continues after the last received byte,
 * if possible. Returns the `content-type` header, or undefined if the automation does not keep the
 * file. Rejects with the reason if the download fails.
 */
export async function fetchThroughLinks(
  nextLink: NextLink,
  file: ResumableFile,
  { store, clock, stall }: FetchContext,
): Promise<{ contentType: string | undefined } | undefined> {
  const { signal } = stall
  let furthest = 0
  let withoutProgress = 0
  let why: string | undefined
  for (;;) {
    try {
      if (withoutProgress > 0) await clock.sleep(firstPause * 2 ** (withoutProgress - 1), signal)
      // While a link is requested, the time limit for the next byte is paused.
      stall.hold()
      const link = await nextLink(signal).finally(() => stall.resume())
      if (link === null) return undefined
      return { contentType: await fetchOnce(link, file, store, stall) }
    } catch (error) {
      why = whyFailed(error, signal, why)
    }
    withoutProgress = file.received > furthest ? 0 : withoutProgress + 1
    furthest = Math.max(furthest, file.received)
    if (withoutProgress === maxLinksWithoutProgress) throw new Error(why)
  }
}

async function fetchOnce(
  link: string,
  file: ResumableFile,
  store: Store,
  stall: Deadline,
): Promise<string | undefined> {
  const opened = await store.open(link, file.resumption(), stall.signal)
  const { status, headers, body } = opened
  try {
    if (![200, 206].includes(status)) {
      // Status 416 means that the received bytes do not match the file in the store.
      if (status === 416) await file.discard()
      throw new Error(`the store answered ${String(status)}`)
    }
    await file.begin(status, headers)
    for await (const chunk of body) {
      stall.renew(maxStall)
      await file.write(chunk)
    }
    await file.complete()
    return headers['content-type']
  } finally {
    opened.close()
  }
}

function whyFailed(
  error: unknown,
  { aborted, reason }: AbortSignal,
  before: string | undefined,
): string {
  if (aborted && !(reason instanceof TimeUp)) throw new Error('cancelled', { cause: error })
  if (error instanceof NoFreshLinkError || error instanceof UnwritableFile) throw error
  if (aborted) {
    const why = before === undefined ? '' : ` (${before})`
    throw new Error(`${messageOf(reason)}${why}`, { cause: error })
  }
  return whyUnread(error)
}
