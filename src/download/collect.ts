/** From the links of a status record to the files of result and log. */
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

/** What became of the two files of an execution. */
export interface CollectedFiles {
  /** Undefined where no folder could be made. */
  folder: string | undefined
  result: DownloadedFile
  log: DownloadedFile
}

/** What collecting needs besides the status record. */
export interface CollectContext extends DownloadContext {
  /** A fresh status record, with fresh links. Rejects with a `ServiceError`. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  /** Makes the folder for the files; rejects with a reason for people. */
  makeFolder: () => Promise<string>
  /**
   * Where only so many may download at once: does the work when it is this one's turn. Rejects
   * where the signal aborts before. The wait counts toward no bound.
   */
  turn?: <Value>(cancelled: AbortSignal, work: () => Promise<Value>) => Promise<Value>
}

// Milliseconds. Links live 60 s, and fetching takes time, too.
const freshFor = 30_000
/** How long fresh links may be asked for, even where the step's time is over. */
const minRefresh = 60_000

/**
 * Fetches both files side by side: a slow result must not let the log's link expire. Never
 * rejects. Source: docs/service.md, "Result and log links".
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
    // A run that was seen to end when the time was over leaves its files as any other does.
    const given = { ...context, deadline: Math.max(context.deadline, clock.now() + minRefresh) }
    const refresh = new StatusRefresh(given)
    const isOld = clock.now() - seenAt > freshFor
    const linksOf = (name: LinkName) => linksTo(name, status, isOld, refresh)
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

/** What is said of files that could not even be asked for. */
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

/** Gives the link at hand once, where there is time for it, then asks for new ones. */
function linksTo(
  name: LinkName,
  status: ExecutionStatus,
  isOld: boolean,
  refresh: StatusRefresh,
): NextLink {
  // What is not kept has no link, and needs no newer one.
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
