/** Logs the progress of a batch. */
import type { BatchListener, BatchSeed, RunRecord } from '../../execution/batch/batch.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import { describeBatchProgress, describeBatchStart } from '../../messages/batch/progress.ts'
import { describeRun, nameSeed, showRun, stopWords } from '../../messages/batch/runs.ts'
import { noteText, type NoteName } from '../../messages/catalogue.ts'
import {
  describeDownload,
  describeFailedCheck,
  describeStartRetry,
} from '../../messages/progress.ts'
import { describeElapsed } from '../../messages/quantities.ts'
import { describeRetry } from '../../messages/retries.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'
import { startHeartbeat } from '../progress.ts'
import { reportLosses } from '../report-files.ts'

type ProgressStep = Pick<Step, 'log' | 'clock' | 'secrets' | 'outputs'>

/** Logs which runs the batch is about to start. Writes a notice if the list of seeds is empty. */
export function reportList(
  { target, list, pool, waiting }: Pick<BatchInputs, 'target' | 'list' | 'pool' | 'waiting'>,
  { log }: Pick<Step, 'log'>,
): void {
  log.title('Start')
  if (list.length > 0)
    log.info(describeBatchStart(target, list.length, pool.maxParallel, waiting.timeout))
  else log.note('no-seeds', {})
}

/** Returns a listener that logs batch events. `retries` is the retry limit for each run. */
export function reportBatchProgress(
  retries: number,
  step: ProgressStep,
): BatchListener & Disposable {
  const { log, clock, secrets } = step
  const show = secrets.show
  const warnings = warnOnce(log)
  let stopHeartbeat: (() => void) | undefined
  const report = (seed: BatchSeed, words: string) => log.info(`${nameSeed(seed, show)}: ${words}`)
  return {
    onBegin: (snapshot) => {
      stopHeartbeat = startHeartbeat(clock, (waited) =>
        log.info(describeBatchProgress(snapshot(), waited)),
      )
    },
    onStarted: (seed, executionId) => {
      step.outputs.executionIds.add(executionId)
      report(seed, `execution ${executionId}`)
    },
    onStartRetry: (seed, error, pause) => report(seed, describeStartRetry(error, pause, show)),
    onFailedCheck: (seed, failure, pause, isFirst) => {
      const line = `${nameSeed(seed, show)}: ${describeFailedCheck(failure, pause, show)}`
      if (isFirst) log.info(line)
      else log.debug(line)
    },
    onDownload: (seed, event) => report(seed, describeDownload(event, show)),
    onRetry: (seed, ended, pause) => {
      const span = { pause, next: ended.attempts.length + 1, max: retries + 1 }
      report(seed, describeRetry(ended, span, show))
    },
    onStartedAnew: (seed, { executionId, conclusion }) => {
      if (conclusion === undefined) {
        warnings.note('batch-run-not-found', { run: nameSeed(seed, show), id: executionId })
        return
      }
      const ended = `execution ${executionId} of an earlier attempt ended with ${conclusion}`
      report(seed, `${ended}; a new run is needed`)
    },
    onHold: (span) =>
      log.info(
        `The service asks to wait (Retry-After): nothing is sent for ${describeElapsed(span)}`,
      ),
    onStop: (cause) => log.info(`No more runs are started: ${stopWords[cause]}`),
    onEnded: (seed, record, ended) => {
      if (isWorthALine(record, ended)) log.info(describeRun(showRun(record, show)))
      if (ended?.files) {
        reportLosses(ended, ended.files, warnings, ` of ${nameSeed(seed, show)}`)
      }
    },
    [Symbol.dispose]: () => stopHeartbeat?.(),
  }
}

/** Annotates only the first warning of each kind, because GitHub shows ten warnings per step. */
function warnOnce(log: Step['log']): Pick<Step['log'], 'note'> {
  const given = new Set<NoteName>()
  return {
    note: (name, values) => {
      if (given.has(name)) log.info(noteText(name, values))
      else log.note(name, values)
      given.add(name)
    },
  }
}

/** Returns false for a run that this step did not try to start. Such a run gets no log line. */
function isWorthALine({ conclusion }: RunRecord, report: ExecutionReport | undefined): boolean {
  return conclusion !== 'not-started' || report !== undefined
}
