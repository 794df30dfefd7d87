/** Result and log on the runner's disk, and where else the workflow wants them. */
import { concludeFrom } from '../execution/conclusion.ts'
import { collect, type Collected } from '../download/collect.ts'
import type { DownloadedFile } from '../download/download.ts'
import type { AutomationService } from '../service/client.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import type { Store } from '../download/store.ts'
import { describeFileProblem } from '../messages/file-problem.ts'
import { makeStepFolder } from '../runner/workspace.ts'
import { inline } from '../messages/text/untrusted-text.ts'
import type { Step } from '../runner/step.ts'
import { describeSize } from '../messages/size.ts'
import { copyFiles, type LostCopy } from './copying.ts'
import { waitAction } from '../version.ts'

export interface Files extends Collected {
  /** Undefined where the runner has no room for one. */
  folder: string | undefined
  /** The copies that were asked for and could not be written. */
  lostCopies: LostCopy[]
}

export interface CollectingPlan {
  executionId: string
  status: ExecutionStatus
  /** The moment at which the step's time runs out. */
  deadline: number
  resultFile?: string
  logFile?: string
}

export async function collectFiles(
  { executionId, status, deadline, resultFile, logFile }: CollectingPlan,
  service: AutomationService,
  store: Store,
  step: Step,
): Promise<Files> {
  step.log.title('Result')
  const files = await fetchFiles({ executionId, status, deadline }, service, store, step)
  tellWhatCame(files, step)
  tellWhatIsMissing(files, status, step)
  return { ...files, lostCopies: await copyFiles({ resultFile, logFile }, files, status, step) }
}

async function fetchFiles(
  { executionId, status, deadline }: Pick<CollectingPlan, 'executionId' | 'status' | 'deadline'>,
  service: AutomationService,
  store: Store,
  step: Step,
): Promise<Omit<Files, 'lostCopies'>> {
  const folder = await makeStepFolder(step.environment).catch(
    (error: unknown) => new Error(`there is no folder for it: ${describeFileProblem(error)}`),
  )
  if (folder instanceof Error) return lostFiles(status, folder.message)
  const files = await collect(status, {
    store,
    clock: step.clock,
    deadline,
    cancelled: step.cancelled,
    folder,
    check: async (signal) => {
      const fresh = await service.executionStatus(executionId, signal)
      hideLinks(fresh, step)
      return fresh
    },
  })
  return { folder, ...files }
}

function lostFiles(
  { result_url, logs_url }: ExecutionStatus,
  why: string,
): Omit<Files, 'lostCopies'> {
  const lost = (link: string | null): DownloadedFile =>
    link === null ? { kind: 'not-kept' } : { kind: 'unavailable', why }
  return { folder: undefined, result: lost(result_url), log: lost(logs_url) }
}

/** Signed links let anyone in for 60 s: masked before anything can go wrong with them. */
export function hideLinks({ result_url, logs_url }: ExecutionStatus, { secrets }: Step): void {
  for (const link of [result_url, logs_url]) {
    if (link === null) continue
    secrets.add(link)
    const query = URL.parse(link)?.search.slice(1) ?? ''
    // Shorter ones are no signature, and would garble the log.
    if (query.length >= 16) secrets.add(query)
  }
}

function tellWhatCame({ result, log }: Collected, step: Step): void {
  if (result.kind === 'file') step.log.info(`Result: ${result.path} (${describeSize(result.size)})`)
  if (log.kind === 'file') step.log.info(`Log: ${log.path} (${describeSize(log.size)})`)
  tellOfEncoding('result', result, step)
  tellOfEncoding('log', log, step)
}

function tellOfEncoding(what: string, kept: DownloadedFile, step: Step): void {
  if (kept.kind !== 'file' || kept.unknownEncoding === undefined) return
  const encoding = inline(kept.unknownEncoding, 100)
  step.log.warning(
    `The store sent the ${what} in an encoding that is not understood (content-encoding: ${encoding}). Its bytes were kept as they came.`,
  )
}

function tellWhatIsMissing({ result, log }: Collected, status: ExecutionStatus, step: Step): void {
  const hasFailed = concludeFrom(status) !== 'success'
  // A run that failed and left a log may have had no result to keep.
  const isResultExpected = !hasFailed || log.kind === 'not-kept'
  const missing = [
    ...(result.kind === 'not-kept' && isResultExpected ? ['result'] : []),
    ...(log.kind === 'not-kept' ? ['log'] : []),
  ]
  if (missing.length > 0) {
    const what = missing.join(' and ')
    step.log.notice(
      status.finished
        ? `The automation isn't set to keep its ${what}, so there is nothing to publish. Switch it on in the service's dashboard.`
        : `The service has not finished the run yet, so there is no ${what} to publish. Fetch them later with ${waitAction}.`,
    )
  }
  // Of a run that succeeded, the annotation tells it: the step fails.
  if (result.kind === 'unavailable' && hasFailed) {
    step.log.warning(`The result could not be fetched: ${result.why}. ${fetchAgain}`)
  }
  if (log.kind === 'unavailable') {
    step.log.warning(`The log could not be fetched: ${log.why}. ${fetchAgain}`)
  }
}

const fetchAgain = `Fetch it again with ${waitAction} and the same execution-id.`
