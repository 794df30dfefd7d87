/** What run and wait share: an execution is followed to its end, and people are told of it. */
import path from 'node:path'
import { Deadline } from '../clock.ts'
import { followExecution, type ExecutionPlan } from '../execution/follow-execution.ts'
import { showLog } from '../messages/log-text.ts'
import { hasArtifactService } from '../runner/artifact/publish-artifact.ts'
import type { Uploader } from '../runner/artifact/uploader.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import { makeStepFolder } from '../runner/workspace.ts'
import type { Connections } from './connect.ts'
import { tellProgress } from './progress.ts'

// Milliseconds that the one look of `timeout: 0s` may take.
const oneLook = 30_000

export async function followAndReport(
  begin: ExecutionPlan['begin'],
  { waiting, publishing }: Pick<RunInputs, 'waiting' | 'publishing'>,
  { service, store }: Connections,
  step: Step,
): Promise<Verdict> {
  const { clock, random, cancelled, secrets, environment } = step
  const { pollInterval, timeout } = waiting
  const once = timeout === 0
  using deadline = new Deadline(clock, once ? oneLook : timeout, cancelled)
  let uploader: Promise<Uploader | undefined> | undefined
  const progress = tellProgress(waiting, step)
  const onWait = () => {
    progress.onWait()
    uploader = openUploader(publishing, step)
  }
  try {
    const report = await followExecution(
      { begin, pollInterval, once, deadline },
      {
        ...{ service, store, clock, random, cancelled },
        makeFolder: () => makeStepFolder(environment),
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

/** Loaded while waiting: the artifact client is most of the action's weight. */
async function openUploader(
  { uploadArtifact }: RunInputs['publishing'],
  { environment, bundleFolder, log, secrets, cancelled, clock }: Step,
): Promise<Uploader | undefined> {
  if (!uploadArtifact || !hasArtifactService(environment)) return undefined
  const { Uploader } = await import('../runner/artifact/uploader.ts')
  return new Uploader({
    workerFile: path.join(bundleFolder, '..', 'upload', 'index.js'),
    debug: (line) => log.debug(line),
    mask: (value) => secrets.add(value),
    cancelled,
    clock,
  })
}
