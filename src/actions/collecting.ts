/** Result and log on the runner's disk, and where else the workflow wants them. */
import { messageOf } from '../errors.ts'
import { collect, type Collected } from '../execution/collect.ts'
import type { Kept } from '../execution/download.ts'
import type { AutomationService } from '../service/client.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import type { Store } from '../service/store.ts'
import { makeStepFolder, copyIntoWorkspace } from '../github/workspace.ts'
import type { Step } from '../github/step.ts'
import { describeSize } from '../github/summary/size.ts'

export interface Files extends Collected {
  folder: string
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
  const folder = await makeStepFolder(step.environment)
  hideLinks(status, step)
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
  tellWhatCame(files, step)
  tellWhatIsMissing(files, status, step)
  await copyTo(resultFile, files.result, 'result-file', step)
  await copyTo(logFile, files.log, 'log-file', step)
  return { folder, ...files }
}

/** Signed links let anyone in for 60 s: masked before anything can go wrong with them. */
function hideLinks({ result_url, logs_url }: ExecutionStatus, { secrets }: Step): void {
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
}

function tellWhatIsMissing({ result, log }: Collected, status: ExecutionStatus, step: Step): void {
  const missing = [
    ...(result.kind === 'not-kept' ? ['result'] : []),
    ...(log.kind === 'not-kept' ? ['log'] : []),
  ]
  if (missing.length > 0) {
    const what = missing.join(' and ')
    step.log.notice(
      status.finished
        ? `The automation isn't set to keep its ${what}, so there is none to publish. Switch it on in the service's dashboard.`
        : `The service has not finished the run yet, so there is no ${what} to publish. Fetch them later with the wait action.`,
    )
  }
  if (log.kind === 'unavailable') {
    step.log.warning(`The log could not be fetched: ${log.why}. ${fetchAgain}`)
  }
}

export const fetchAgain = 'Fetch it again with the wait action and the same execution-id.'

async function copyTo(
  target: string | undefined,
  kept: Kept,
  input: string,
  { log, environment }: Step,
): Promise<void> {
  if (target === undefined) return
  if (kept.kind !== 'file') {
    log.warning(`${input}: nothing was written to ${target}, since there is nothing to copy.`)
    return
  }
  try {
    await copyIntoWorkspace(kept.path, target, environment)
    log.info(`Copied to ${target} (${input})`)
  } catch (error) {
    log.warning(`${input}: could not write ${target}: ${messageOf(error)}`)
  }
}
