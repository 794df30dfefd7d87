/** Reports on an execution on its way: lines in the log, and the outputs that are known early. */
import type { Clock } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { RetryListener } from '../execution/retries.ts'
import type { StartListener } from '../execution/start-execution.ts'
import { describeCount, describeElapsed } from '../messages/quantities.ts'
import { statusOutput } from '../messages/execution-record.ts'
import {
  describeEnding,
  describePace,
  describeProgress,
  type Progress,
} from '../messages/progress.ts'
import { describeInvalidKept } from '../messages/rerun.ts'
import { describeLink, type LinkOf } from '../messages/run-link.ts'
import { describeNotRetried, describeRetry } from '../messages/retries.ts'
import { hideLinks } from '../messages/text/secrets.ts'
import type { Step } from '../runner/step.ts'
import type { ServiceError } from '../service/errors.ts'

export interface Pace {
  /** Both in milliseconds. */
  pollInterval: number
  timeout: number
  /** How many executions may follow the first one. */
  retries: number
  /** The first one has been seen to end: nothing is to be checked. */
  isOver: boolean
}

type ProgressStep = Pick<Step, 'log' | 'clock' | 'secrets' | 'outputs'>

export function reportProgress(pace: Pace, linkOf: LinkOf, step: ProgressStep): RetryListener {
  const { log, clock, secrets } = step
  let known: Pick<Progress, 'checks' | 'state'> = { checks: 0, state: undefined }
  let nextAt = 0
  let stopHeartbeat: (() => void) | undefined
  return {
    ...reportStart(linkOf, step),
    onWait: () => {
      log.title('Wait')
      // For a retry, the time left is not the one in the input.
      if (!stopHeartbeat && !pace.isOver) log.info(describePace(pace.pollInterval, pace.timeout))
      stopHeartbeat?.()
      known = { checks: 0, state: undefined }
      nextAt = 0
      // Says that the step is alive, independently of checks, which may lie far apart.
      stopHeartbeat = startHeartbeat(clock, (waited) =>
        log.info(describeProgress({ ...known, waited, untilNext: nextAt - clock.now() })),
      )
    },
    onStatus: (status) => hideLinks(status, step, { masked: true }),
    onCheck: (checks, state) => {
      known = { checks, state }
    },
    onPause: (pause) => {
      nextAt = clock.now() + pause
    },
    ...reportHealth(step),
    onEnding: ({ executionId, ending, checks }) => {
      stopHeartbeat?.()
      if (executionId === undefined) return
      log.info(`${describeEnding(ending)} (${describeCount(checks, 'check')})`)
    },
    onRetry: (report, pause, next) => {
      log.title('Retry')
      const span = { pause, next, max: pace.retries + 1 }
      log.info(describeRetry(report, span, secrets.show))
    },
    onInvalidKept: (report) => reportInvalidKept(report, step),
    onSettled: (report) => reportSettled(report, step),
  }
}

/** The execution of an earlier attempt is replaced, so its outputs are cleared. */
function reportInvalidKept(
  { executionId = '', resultProblems }: ExecutionReport,
  { log, outputs }: ProgressStep,
): void {
  outputs.set('execution-id', '')
  outputs.set('execution-url', '')
  outputs.set('resumed', 'false')
  log.info(describeInvalidKept(executionId, resultProblems?.lines[0] ?? ''))
  log.title('Start')
}

/** For all that wait for the service. */
export function reportHealth({ log, secrets }: Pick<Step, 'log' | 'secrets'>) {
  return {
    onTrouble: (failure: unknown) =>
      log.note('service-in-trouble', { why: secrets.words(messageOf(failure)) }),
    onRecovery: () => log.info('The service answers properly again'),
  }
}

/** Logs each retry of a call that must not happen twice. */
export function reportStartRetry({ log, secrets }: Pick<Step, 'log' | 'secrets'>) {
  return (error: ServiceError, pause: number) =>
    log.info(
      `Not accepted (${secrets.words(messageOf(error))}); trying again in ${describeElapsed(pause)}`,
    )
}

/** For all that start an execution. */
export function reportStart(linkOf: LinkOf, step: Omit<ProgressStep, 'clock'>): StartListener {
  const { log, outputs, secrets } = step
  return {
    onStartRetry: reportStartRetry({ log, secrets }),
    onStarted: ({ executionId, message }) => {
      // At once, and before any wait: whatever comes, the run can be found.
      outputs.set('execution-id', executionId)
      const words = message ? ` ("${secrets.words(message)}")` : ''
      log.info(`Started as execution ${executionId}${words}`)
      reportLink(linkOf(executionId), step)
    },
  }
}

/** Does nothing without a link. */
export function reportLink(
  link: string | undefined,
  { log, outputs }: Pick<Step, 'log' | 'outputs'>,
): void {
  if (link === undefined) return
  outputs.set('execution-url', link)
  log.info(describeLink(link))
}

/** The outputs that need no file come first: fetching files takes time and may fail. */
function reportSettled(report: ExecutionReport, { log, outputs, secrets }: ProgressStep): void {
  const { executionId, conclusion, ending, duration, attempts } = report
  outputs.set('conclusion', conclusion)
  const notRetried = describeNotRetried(report, secrets.show)
  if (notRetried !== undefined) log.info(notRetried)
  if (executionId === undefined) {
    // The outputs describe the last execution, which this start may be.
    if (attempts.length > 0) {
      outputs.set('execution-id', '')
      outputs.set('execution-url', '')
    }
    return
  }
  outputs.set('status', statusOutput(ending.status))
  outputs.set('duration-seconds', String(Math.round(duration / 1000)))
  if (ending.kind === 'finished') log.title('Result')
}

// Milliseconds: the first line comes after ten seconds, then one every 30 s to 60 s, ever more rarely.
const firstSpan = 10_000
const minSpan = 30_000
const maxSpan = 60_000
const growth = 1.25

/** Reports regularly that the step is waiting, until the returned function is called. */
export function startHeartbeat(clock: Clock, report: (waited: number) => void): () => void {
  const ended = new AbortController()
  const since = clock.now()
  const beat = async () => {
    for (let span = firstSpan; ;) {
      await clock.sleep(span, ended.signal)
      report(clock.now() - since)
      span = Math.min(maxSpan, Math.max(minSpan, span * growth))
    }
  }
  beat().catch(() => undefined)
  return () => ended.abort()
}
