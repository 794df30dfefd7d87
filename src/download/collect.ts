/** Downloads the result and the log of an execution with the signed links of its status record. */
import { messageOf } from '../errors.ts'
import type { ExecutionStatus, Link } from '../service/contract.ts'
import {
  download,
  obstacleOfDisk,
  type DownloadContext,
  type DownloadedFile,
  type Obstacle,
} from './download.ts'
import type { NextLink } from './link-retry.ts'
import { StatusRefresh } from './status-refresh.ts'

export interface CollectedFiles {
  /** The folder with the downloaded files. Undefined if the folder could not be created. */
  folder: string | undefined
  result: DownloadedFile
  log: DownloadedFile
}

export interface CollectContext extends DownloadContext {
  /** Requests a status record with new links. Rejects with a `ServiceError`. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  /** Creates the folder for the files. Rejects with a message that can be shown to users. */
  makeFolder: () => Promise<string>
  /**
   * Calls `work` when one more parallel download is allowed. Rejects if the signal aborts first.
   * Time limits begin after this wait. Undefined if any number of downloads may run in parallel.
   */
  turn?: <Value>(cancelled: AbortSignal, work: () => Promise<Value>) => Promise<Value>
}

// The maximum age of links when a download begins, in milliseconds. Links are valid for 60 s.
const freshFor = 30_000
/** How long new links may be requested even if the timeout ends earlier, in milliseconds. */
const minRefresh = 60_000

/**
 * Downloads the result and the log in parallel, because the log's link could expire during a slow
 * download of the result. Never rejects.
 * Source: docs/contributing/service.md, "Result and log links".
 */
export async function collect(
  status: ExecutionStatus,
  context: CollectContext,
): Promise<CollectedFiles> {
  const { clock, cancelled, turn } = context
  const seenAt = clock.now()
  const fetchNow = async (): Promise<CollectedFiles> => {
    const folder = await context.makeFolder().catch((error: unknown) => ({ error }))
    if (typeof folder !== 'string') {
      return lostFiles(status, messageOf(folder.error), obstacleOfDisk(folder.error))
    }
    // The run may have ended just before the step's timeout. Its files are downloaded nevertheless.
    const given = { ...context, deadline: Math.max(context.deadline, clock.now() + minRefresh) }
    const refresh = new StatusRefresh(given)
    const isOld = clock.now() - seenAt > freshFor
    const linksOf = (name: LinkName) => nextLinkOf(name, status, isOld, refresh)
    const [result, log] = await Promise.all([
      download(linksOf('result_url'), { folder, name: 'result' }, given),
      download(linksOf('logs_url'), { folder, name: 'run', extension: '.log' }, given),
    ])
    return { folder, result, log }
  }
  if (!turn) return fetchNow()
  try {
    return await turn(cancelled, fetchNow)
  } catch (error) {
    return lostFiles(status, cancelled.aborted ? 'cancelled' : messageOf(error))
  }
}

function lostFiles(
  { result_url, logs_url }: ExecutionStatus,
  why: string,
  obstacle?: Obstacle,
): CollectedFiles {
  const lost = (link: Link): DownloadedFile =>
    link === null ? { kind: 'not-kept' } : { kind: 'unavailable', why, obstacle }
  return { folder: undefined, result: lost(result_url), log: lost(logs_url) }
}

type LinkName = 'result_url' | 'logs_url'

/**
 * Returns a function that provides links. The first call may provide the link from `status`. Later
 * calls request a new link.
 */
function nextLinkOf(
  name: LinkName,
  status: ExecutionStatus,
  isOld: boolean,
  refresh: StatusRefresh,
): NextLink {
  // A null link means that the automation does not keep the file. A newer link would be null, too.
  let isAtHand = !isOld || status[name] === null
  return async (signal) => {
    const isFirst = isAtHand
    isAtHand = false
    const link = isFirst ? status[name] : (await refresh.fresh(signal))[name]
    if (link === undefined) throw new Error(noLink)
    if (link === null && !isFirst) throw new Error('the service no longer has a link to it')
    return link
  }
}

const noLink = 'the service gave no usable link: expected one https address of at most 16 KiB'
