/** Downloads one file. Tries one link after the other until the file is complete or given up. */
import { TimeUp, type Clock, type Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { whyUnread } from '../service/errors.ts'
import { UnwritableFile, type ResumableFile } from './resumable-file.ts'
import { NoFreshLinkError } from './status-refresh.ts'
import type { Store } from './store.ts'

/**
 * Returns a valid link, or `null` if the service does not keep the file. The first call may return
 * the link of the last status record. Later calls ask the service. Rejects if there is no link at
 * the moment, and with NoFreshLinkError if there will be none later either.
 */
export type NextLink = (signal: AbortSignal) => Promise<string | null>

export interface FetchContext {
  store: Store
  clock: Clock
  /** Ends the download if no byte comes for a while. Each byte renews it. */
  stall: Deadline
}

/** For how long a download may receive no byte. Milliseconds. */
export const maxStall = 30_000

// Source: docs/contributing/service.md, "Result and log links". A failed request for a new link does not count
// here: see status-refresh.ts.
export const maxLinksWithoutProgress = 5
/** Milliseconds before the second link. The pause doubles from link to link. */
const firstPause = 500

/**
 * Writes the file. Each new link continues at the byte at which the last one stopped. Resolves with
 * the `content-type` header, or with undefined if the file is not kept. Rejects if the file is
 * given up; the message says why.
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
      // No byte can arrive while a link is requested.
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
      // 416: the part on the disk does not match the file in the store.
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
