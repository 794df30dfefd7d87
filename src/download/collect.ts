/** From the links of a status record to the files of result and log. */
import { messageOf } from '../errors.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { download, type DownloadContext, type DownloadedFile, type NextLink } from './download.ts'
import { StatusRefresh } from './status-refresh.ts'

/** What a run left, on the runner's disk. */
export interface CollectedFiles {
  /** Undefined where none could be made. */
  folder: string | undefined
  result: DownloadedFile
  log: DownloadedFile
}

export interface CollectContext extends DownloadContext {
  /** A fresh status record, with fresh links. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  /** Makes the folder for the files; rejects with a reason for people. */
  makeFolder: () => Promise<string>
}

/** Fetches both at once, side by side: the links live 60 s, and a slow result must not cost the log. */
export async function collect(
  status: ExecutionStatus,
  context: CollectContext,
): Promise<CollectedFiles> {
  const folder = await context.makeFolder().catch((error: unknown) => new Error(messageOf(error)))
  if (folder instanceof Error) return lostFiles(status, folder.message)
  const links = new Links(status, new StatusRefresh(context))
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

/** Hands out each link once, then asks for new ones. */
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
