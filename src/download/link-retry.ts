/** One file from one link after the other, until it is complete or given up. */
import { TimeUp, type Clock, type Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { whyUnread } from '../service/errors.ts'
import { UnwritableFile, type ResumableFile } from './resumable-file.ts'
import { NoFreshLinkError } from './status-refresh.ts'
import type { Store } from './store.ts'

/**
 * A link that is valid now; `null` where the service has none, since it does not keep the file. The
 * first call may give the one at hand; later ones ask the service. Rejects where none can be had
 * at the moment, with NoFreshLinkError where no later one can be had either.
 */
export type NextLink = (signal: AbortSignal) => Promise<string | null>

/** What fetching needs besides links and file. */
export interface FetchContext {
  store: Store
  clock: Clock
  /** Put off by each byte. */
  stall: Deadline
}

/** How long a download may go without a byte. Milliseconds. */
export const maxStall = 30_000

// Source: docs/service.md, "Result and log links". A failed check for new links is not one of the
// five: see status-refresh.ts.
const maxLinksWithoutProgress = 5
/** Milliseconds before the second of them; the pause doubles from link to link. */
const firstPause = 500

/**
 * Writes the file, going on where a link before stopped. Resolves with the `content-type` header,
 * or with undefined where there is no link at all. Rejects, with why as the message, where the file
 * is given up.
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
      // No byte can come meanwhile.
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
      // 416: the part on the disk does not fit what the store has now.
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

/** Why this link failed. @throws Error where no other link may be tried. */
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
