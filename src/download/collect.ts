/** Fetches the result and the log of an execution through the links of its status record. */
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
  /** Undefined if the folder could not be made. */
  folder: string | undefined
  result: DownloadedFile
  log: DownloadedFile
}

export interface CollectContext extends DownloadContext {
  /** Returns a new status record with new links. Rejects with a `ServiceError`. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  /** Makes the folder for the files. Rejects with a reason that people can read. */
  makeFolder: () => Promise<string>
  /**
   * Set if the number of parallel downloads is limited. Does the work when a place is free. Rejects
   * if the signal aborts before that. No time limit includes this wait.
   */
  turn?: <Value>(cancelled: AbortSignal, work: () => Promise<Value>) => Promise<Value>
}

// Milliseconds. Links are valid for 60 s, and fetching takes time, too.
const freshFor = 30_000
/** For how long new links may be requested, even if the step's time is over. Milliseconds. */
const minRefresh = 60_000

/**
 * Fetches both files side by side, because the log's link must not expire during a slow download of
 * the result. Never rejects.
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
    // The files of a run are fetched even if the run ended at the last check, when the step's time
    // was over.
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

/** Returns the link of the status record once, if it is fresh enough. Then requests new ones. */
function nextLinkOf(
  name: LinkName,
  status: ExecutionStatus,
  isOld: boolean,
  refresh: StatusRefresh,
): NextLink {
  // If the automation keeps no file, there is no link, and no newer one is needed.
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
