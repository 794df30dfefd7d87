/** From the links of a status record to the files of result and log. */
import { messageOf } from '../errors.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { download, type DownloadContext, type DownloadedFile } from './download.ts'
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
}

/**
 * Fetches both files side by side: a slow result must not let the log's link expire. Never
 * rejects. Source: docs/service.md, "Result and log links".
 */
export async function collect(
  status: ExecutionStatus,
  context: CollectContext,
): Promise<CollectedFiles> {
  const { check, clock, deadline, makeFolder } = context
  const folder = await makeFolder().catch((error: unknown) => new Error(messageOf(error)))
  if (folder instanceof Error) return lostFiles(status, folder.message)
  const links = new Links(status, new StatusRefresh({ check, clock, deadline }))
  const [result, log] = await Promise.all([
    download(links.of('result_url'), { folder, name: 'result' }, context),
    download(links.of('logs_url'), { folder, name: 'run', extension: '.log' }, context),
  ])
  return { folder, result, log }
}

function lostFiles({ result_url, logs_url }: ExecutionStatus, why: string): CollectedFiles {
  const lost = (link: string | null): DownloadedFile =>
    link === null ? { kind: 'not-kept' } : { kind: 'unavailable', why }
  return { folder: undefined, result: lost(result_url), log: lost(logs_url) }
}

type LinkName = 'result_url' | 'logs_url'

/** Gives each known link once, then asks for new ones. */
class Links {
  readonly #refresh: StatusRefresh
  readonly #known: Record<LinkName, string | null | undefined>

  constructor({ result_url, logs_url }: ExecutionStatus, refresh: StatusRefresh) {
    this.#refresh = refresh
    this.#known = { result_url, logs_url }
  }

  of(name: LinkName): NextLink {
    return async (signal) => {
      const known = this.#known[name]
      this.#known[name] = undefined
      if (known !== undefined) return known
      const fresh = (await this.#refresh.fresh(signal))[name]
      if (fresh === null) throw new Error('the service no longer has a link to it')
      return fresh
    }
  }
}
