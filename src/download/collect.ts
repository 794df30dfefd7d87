/** From the links of a status record to the files of result and log. */
import type { ExecutionStatus } from '../service/contract.ts'
import { download, type DownloadContext, type DownloadedFile, type NextLink } from './download.ts'
import { StatusRefresh } from './status-refresh.ts'

export interface Collected {
  result: DownloadedFile
  log: DownloadedFile
}

export interface CollectContext extends DownloadContext {
  /** A fresh status record, with fresh links. */
  check: (signal: AbortSignal) => Promise<ExecutionStatus>
  folder: string
}

/** Fetches both at once, side by side: the links live 60 s, and a slow result must not cost the log. */
export async function collect(
  status: ExecutionStatus,
  context: CollectContext,
): Promise<Collected> {
  const { folder } = context
  const links = new Links(status, new StatusRefresh(context))
  const [result, log] = await Promise.all([
    download(links.of('result_url'), { folder, name: 'result' }, context),
    download(links.of('logs_url'), { folder, name: 'run', extension: '.log' }, context),
  ])
  return { result, log }
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
