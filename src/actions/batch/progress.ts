/** Tells of a batch on its way: lines in the log, and the file that describes each run. */
import { mkdir } from 'node:fs/promises'
import { messageOf } from '../../errors.ts'
import type { BatchListener } from '../../execution/batch/batch.ts'
import type { RunRecord } from '../../execution/batch/record.ts'
import type { BatchSeed } from '../../execution/batch/seed-list.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { describeBatchProgress } from '../../messages/batch/progress.ts'
import { writeRunRecord } from '../../messages/batch/run-folder.ts'
import { describeRun, nameSeed, showRun } from '../../messages/batch/shown-run.ts'
import { describeStopReason } from '../../messages/batch/stop.ts'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { describeElapsed } from '../../messages/quantities.ts'
import { describeRetry } from '../../messages/retries.ts'
import type { Step } from '../../runner/step.ts'
import { workflowRunOf } from '../../runner/workflow-run.ts'
import { Heartbeat } from '../heartbeat.ts'
import { hideLinks } from '../progress.ts'
import type { RunFolders } from './run-folders.ts'

type ProgressStep = Pick<Step, 'log' | 'clock' | 'secrets' | 'environment'>

/** `retries`: how many executions may follow the first one of a run. */
export function tellBatch(
  retries: number,
  folders: RunFolders,
  step: ProgressStep,
): BatchListener & Disposable {
  const { log, clock, secrets } = step
  const show = secrets.show
  let heartbeat: Heartbeat | undefined
  const tell = (seed: BatchSeed, words: string) => log.info(`${nameSeed(seed, show)}: ${words}`)
  return {
    onBegin: (snapshot) =>
      (heartbeat = new Heartbeat(clock, (waited) => log.info(progressLine(snapshot(), waited)))),
    onStarted: (seed, executionId) => tell(seed, `execution ${executionId}`),
    // No link of a batch is ever printed, and the runner keeps each mask for good.
    onStatus: (status) => hideLinks(status, step, { masked: false }),
    onStartRetry: (seed, error, pause) => {
      const again = `trying again in ${describeElapsed(pause)}`
      tell(seed, `not accepted (${secrets.words(messageOf(error))}); ${again}`)
    },
    onRetry: (seed, report, pause) => {
      const span = { pause, next: report.attempts.length + 1, most: retries + 1 }
      tell(seed, describeRetry(report, span, show))
    },
    onStartedAnew: (seed, { executionId, conclusion = 'gone' }) =>
      tell(seed, `execution ${executionId} of an earlier attempt is ${conclusion}; starting anew`),
    onHold: (span) =>
      log.info(
        `The service asks to wait (Retry-After): nothing is sent for ${describeElapsed(span)}`,
      ),
    ...tellHealth(step),
    onStop: (reason, cause) => log.info(describeStopReason(reason, cause, show)),
    onEnded: async (seed, record, report) => {
      if (report) await keepRecord(seed, report, folders, step)
      folders.close(seed)
      if (isWorthALine(record, report)) log.info(describeRun(showRun(record, show)))
    },
    [Symbol.dispose]: () => heartbeat?.stop(),
  }
}

/** For all that wait for the service. */
function tellHealth({ log, secrets }: Pick<Step, 'log' | 'secrets'>) {
  return {
    onTrouble: (failure: unknown) =>
      log.note('service-in-trouble', { why: secrets.words(messageOf(failure)) }),
    onRecovery: () => log.info('The service answers properly again'),
  }
}

/** What was not started has no end, and there may be thousands; what goes on is told at the end. */
function isWorthALine({ conclusion }: RunRecord, report: ExecutionReport | undefined): boolean {
  if (conclusion === 'timed-out' || conclusion === 'cancelled') return false
  return conclusion !== 'not-started' || report !== undefined
}

function progressLine(
  { counts, running, waiting, expectedRest }: ReturnType<Parameters<BatchListener['onBegin']>[0]>,
  waited: number,
): string {
  const soFar = { ...counts, notStarted: waiting }
  return describeBatchProgress({ counts: soFar, running, waited, rest: expectedRest })
}

/** `execution.json` of a run that left no file too. What goes wrong with it changes no verdict. */
async function keepRecord(
  seed: BatchSeed,
  report: ExecutionReport,
  folders: RunFolders,
  { environment, secrets, log }: ProgressStep,
): Promise<void> {
  const folder = folders.pathOf(seed)
  const show = secrets.show
  try {
    await mkdir(folder, { recursive: true })
    await writeRunRecord(folder, report, workflowRunOf(environment), show)
  } catch (error) {
    log.info(`${nameSeed(seed, show)}: no execution.json (${describeFileProblem(error)})`)
  }
}
