/** Downloads the result and the log of an execution with the signed links of its status record. */
import { Deadline } from '../clock.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import {
  download,
  unavailable,
  type DownloadContext,
  type DownloadedFile,
  type FileName,
  type NextLink,
} from './download.ts'

export interface CollectedFiles {
  /** The folder with the downloaded files. Undefined if the folder could not be created. */
  folder: string | undefined
  result: DownloadedFile
  log: DownloadedFile
}

export interface CollectContext extends Omit<DownloadContext, 'limit'> {
  /** The time on `clock` when the step's timeout ends. */
  deadlineAt: number
  cancelled: AbortSignal
  /** Requests a status record with new links. Rejects with a `ServiceError`. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  /** Creates the folder for the files. Rejects with a message that can be shown to users. */
  makeFolder: () => Promise<string>
  /**
   * Calls `work` when one more parallel download is allowed. Rejects if the signal aborts first.
   * Time limits begin after this wait. Undefined if any number of downloads may run in parallel.
   */
  withinDownloadLimit?:
    | ((cancelled: AbortSignal, work: () => Promise<CollectedFiles>) => Promise<CollectedFiles>)
    | undefined
}

// The maximum age of links when a download begins, in milliseconds. Links are valid for 60 s.
const freshFor = 30_000
/** How long downloads may continue after the step's timeout, in milliseconds. */
export const maxAfterDeadline = 600_000
const tooLate = `it had not arrived ${maxAfterDeadline / 60_000} min after the input timeout ran out`

/** The members of a status record that contain the links. */
const links = { result: 'result_url', log: 'logs_url' } as const

/**
 * Downloads the result and the log in parallel, because the log's link could expire during a slow
 * download of the result. Never rejects.
 * Source: docs/contributing/service.md, "Result and log links".
 */
export async function collect(
  status: ExecutionStatus,
  context: CollectContext,
): Promise<CollectedFiles> {
  const { clock, cancelled, withinDownloadLimit } = context
  const seenAt = clock.now()
  const fetch = () => fetchFiles(status, clock.now() - seenAt > freshFor, context)
  try {
    return await (withinDownloadLimit?.(cancelled, fetch) ?? fetch())
  } catch (failure) {
    const lost = unavailable(failure, cancelled)
    const lostFile = (what: FileName) => (status[links[what]] === null ? notKept : lost)
    return { folder: undefined, result: lostFile('result'), log: lostFile('log') }
  }
}

/** Downloads both files. If the links of `status` are old, requests new links first. */
async function fetchFiles(
  status: ExecutionStatus,
  areLinksOld: boolean,
  context: CollectContext,
): Promise<CollectedFiles> {
  const { clock, deadlineAt, cancelled, check, makeFolder } = context
  const folder = await makeFolder()
  const span = Math.max(deadlineAt - clock.now(), 0) + maxAfterDeadline
  using limit = new Deadline(clock, span, cancelled, tooLate)
  const refresh = () => check(limit.signal)
  const hasLink = status.result_url !== null || status.logs_url !== null
  // Both files share the first request for new links.
  const first = areLinksOld && hasLink ? refresh() : Promise.resolve(status)
  const fetchFile = (what: FileName) =>
    // A null link means that the automation does not keep the file.
    status[links[what]] === null
      ? notKept
      : download(what, linksOf(what, first, refresh), folder, { ...context, limit })
  const [result, log] = await Promise.all([fetchFile('result'), fetchFile('log')])
  return { folder, result, log }
}

const notKept = { kind: 'not-kept' } as const

/** Returns a function that provides the first link, and then a new link for each further call. */
function linksOf(
  what: FileName,
  first: Promise<ExecutionStatus>,
  refresh: () => Promise<ExecutionStatus>,
): NextLink {
  let next: Promise<ExecutionStatus> | undefined = first
  return async () => {
    const status = next ?? refresh()
    next = undefined
    const link = (await status)[links[what]]
    if (link === null) throw new Error('the service no longer has a link to it')
    if (link === undefined) throw new Error(noLink)
    return link
  }
}

const noLink =
  'the service gave no usable link: expected one https address of at most 16 KiB, without dot segments or backslashes in its path'
