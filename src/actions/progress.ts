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
import { describeOutdated } from '../messages/rerun.ts'
import { describeNotRetried, describeRetry } from '../messages/retries.ts'
import type { Step } from '../runner/step.ts'
import type { ExecutionStatus } from '../service/contract.ts'
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

export function reportProgress(pace: Pace, step: ProgressStep): RetryListener {
  const { log, clock, secrets } = step
  let known: Pick<Progress, 'checks' | 'state'> = { checks: 0, state: undefined }
  let nextAt = 0
  let stopHeartbeat: (() => void) | undefined
  return {
    ...reportStart(step),
    onWait: () => {
      log.title('Wait')
      // Of a retry, what is left of the time is not the input's.
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
    onOutdated: (report) => reportOutdated(report, step),
    onSettled: (report) => reportSettled(report, step),
  }
}

/** What an earlier attempt of the job had started is not this step's after all. */
function reportOutdated(
  { executionId = '', resultProblems }: ExecutionReport,
  { log, outputs }: ProgressStep,
): void {
  outputs.set('execution-id', '')
  outputs.set('resumed', 'false')
  log.info(describeOutdated(executionId, resultProblems?.lines[0] ?? ''))
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

/** For all that send what must not happen twice. */
export function reportStartRetry({ log, secrets }: Pick<Step, 'log' | 'secrets'>) {
  return (error: ServiceError, pause: number) =>
    log.info(
      `Not accepted (${secrets.words(messageOf(error))}); trying again in ${describeElapsed(pause)}`,
    )
}

/** For all that start an execution. */
export function reportStart({ log, outputs, secrets }: Omit<ProgressStep, 'clock'>): StartListener {
  return {
    onStartRetry: reportStartRetry({ log, secrets }),
    onStarted: ({ executionId, message }) => {
      // At once, and before any wait: whatever comes, the run can be found.
      outputs.set('execution-id', executionId)
      const words = message ? ` ("${secrets.words(message)}")` : ''
      log.info(`Started as execution ${executionId}${words}`)
    },
  }
}

/** Signed links let anyone in for 60 s: hidden before anything can go wrong with them. */
export function hideLinks(
  { result_url, logs_url }: ExecutionStatus,
  { secrets, clock }: Pick<Step, 'secrets' | 'clock'>,
  { masked }: { masked: boolean },
): void {
  for (const link of [result_url, logs_url]) {
    if (link) secrets.addLink(link, clock, { masked })
  }
}

/** The outputs that need no file come first: fetching files takes time and may fail. */
function reportSettled(report: ExecutionReport, { log, outputs, secrets }: ProgressStep): void {
  const { executionId, conclusion, ending, duration, attempts } = report
  outputs.set('conclusion', conclusion)
  const notRetried = describeNotRetried(report, secrets.show)
  if (notRetried !== undefined) log.info(notRetried)
  if (executionId === undefined) {
    // Of a start after other executions: the outputs are about the last one.
    if (attempts.length > 0) outputs.set('execution-id', '')
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

/**
 * Reports from now on, until what it returns is called, that the step goes on. `waited`: milliseconds.
 */
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
