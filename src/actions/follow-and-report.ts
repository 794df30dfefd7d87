/** What run and wait share: an execution is followed to its end, and people are told of it. */
import { Deadline } from '../clock.ts'
import { followWithRetries, type RetryPlan } from '../execution/retries.ts'
import { showLog } from '../messages/log-text.ts'
import { hasArtifactService } from '../runner/artifact/publish-artifact.ts'
import type { StorageThread } from '../runner/storage/storage-thread.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { makeStepFolder, removeStepFolder } from '../runner/workspace.ts'
import type { Connections } from './connect.ts'
import { tellProgress } from './progress.ts'

// Milliseconds that the one look of `timeout: 0s` may take.
const oneLook = 30_000

export async function followAndReport(
  subject: Pick<RetryPlan, 'begin' | 'request' | 'retries' | 'retryOn'>,
  { waiting, publishing }: Pick<RunInputs, 'waiting' | 'publishing'>,
  { service, store }: Connections,
  step: Step,
): Promise<Verdict> {
  const { clock, random, cancelled, secrets, environment } = step
  const { pollInterval, timeout } = waiting
  const once = timeout === 0
  using deadline = new Deadline(clock, once ? oneLook : timeout, cancelled)
  let uploader: Promise<StorageThread | undefined> | undefined
  const progress = tellProgress({ ...waiting, retries: subject.retries }, step)
  const onWait = () => {
    progress.onWait()
    uploader ??= loadUploader(publishing, step)
  }
  try {
    const report = await followWithRetries(
      { ...subject, pollInterval, once, deadline },
      {
        ...{ service, store, clock, random, cancelled },
        makeFolder: () => makeStepFolder(environment),
        removeFolder: removeStepFolder,
        showLog: (text) => showLog(text, secrets),
      },
      { ...progress, onWait },
    )
    const { reportExecution } = await import('./report-execution.ts')
    const options = { waiting, publishing, uploader: await uploader }
    return await reportExecution(report, options, step)
  } finally {
    await (await uploader)?.stop()
  }
}

/** Loaded while waiting: the storage clients are most of the action's weight. */
async function loadUploader(
  { uploadArtifact }: RunInputs['publishing'],
  step: Step,
): Promise<StorageThread | undefined> {
  if (!uploadArtifact || !hasArtifactService(step.environment)) return undefined
  const { openStorage } = await import('../runner/storage/storage-thread.ts')
  const storage = openStorage(step)
  storage.load()
  return storage
}
