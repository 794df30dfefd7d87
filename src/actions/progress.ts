/** Logs the progress of an execution, and sets the outputs that do not depend on its files. */
import type { Clock } from '../clock.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { PollState } from '../execution/poll-state.ts'
import type { RetryListener } from '../execution/retries.ts'
import type { StartListener } from '../execution/start-execution.ts'
import { describeCount } from '../messages/quantities.ts'
import { statusOutput } from '../messages/execution-record.ts'
import { capitalised } from '../messages/advice.ts'
import {
  describeDownload,
  describeEnding,
  describeFailedCheck,
  describePace,
  describeProgress,
  describeStartRetry,
  type Progress,
} from '../messages/progress.ts'
import { describeLink, type LinkOf } from '../messages/run-link.ts'
import { describeRetry } from '../messages/retries.ts'
import { maskLinks } from '../messages/text/secrets.ts'
import type { Step } from '../runner/step.ts'
import type { ServiceError } from '../service/errors.ts'

export interface Pace {
  /** The values of the inputs `poll-interval` and `timeout`, in milliseconds. */
  pollInterval: number
  timeout: number
  retries: number
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
      // This line is logged only once, because a retry has less time left than `timeout` says.
      if (!stopHeartbeat) log.info(describePace(pace.pollInterval, pace.timeout))
      stopHeartbeat?.()
      known = { checks: 0, state: undefined }
      nextAt = 0
      // Logs progress regularly, because a long time may pass between two status checks.
      stopHeartbeat = startHeartbeat(clock, (waited) =>
        log.info(describeProgress({ ...known, waited, untilNext: nextAt - clock.now() })),
      )
    },
    onStatus: (status) => maskLinks(status, secrets),
    onCheck: (checks, state, pause) => {
      known = { checks, state }
      nextAt = clock.now() + (pause ?? 0)
      reportCheck(state, pause, step)
    },
    onEnding: ({ executionId, ending, checks }) => {
      stopHeartbeat?.()
      if (executionId === undefined) return
      log.info(`${describeEnding(ending)} (${describeCount(checks, 'check')})`)
    },
    onDownload: (event) => log.info(capitalised(describeDownload(event, secrets.show))),
    onRetry: (report, pause, next) => {
      log.title('Retry')
      const span = { pause, next, max: pace.retries + 1 }
      log.info(describeRetry(report, span, secrets.show))
    },
    onSettled: (report) => reportSettled(report, step),
  }
}

/**
 * Logs a check that failed. The first failed check after a proper answer is a line of the log. The
 * failed checks after it are lines of the debug log.
 */
export function reportCheck(
  { failure, failures }: PollState,
  pause: number | undefined,
  { log, secrets }: Pick<Step, 'log' | 'secrets'>,
): void {
  if (!failure) return
  const words = describeFailedCheck(failure, pause, secrets.show)
  if (failures === 1) log.info(words)
  else log.debug(words)
}

/** Returns a function that logs each retry of a request that the service did not accept. */
export function reportStartRetry({ log, secrets }: Pick<Step, 'log' | 'secrets'>) {
  return (error: ServiceError, pause: number) =>
    log.info(capitalised(describeStartRetry(error, pause, secrets.show)))
}

/** Returns a listener that reports the start of an execution in the outputs and the log. */
export function reportStart(linkOf: LinkOf, step: Omit<ProgressStep, 'clock'>): StartListener {
  const { log, outputs, secrets } = step
  return {
    onStartRetry: reportStartRetry({ log, secrets }),
    onStarted: ({ executionId, message }) => {
      // The output is set immediately, so that users find the run even if the step fails later.
      outputs.set('execution-id', executionId)
      const words = message ? ` ("${secrets.words(message)}")` : ''
      log.info(`Started as execution ${executionId}${words}`)
      reportLink(linkOf(executionId), step)
    },
  }
}

/** Sets the output `execution-url` and logs the link. Does nothing if `link` is undefined. */
export function reportLink(
  link: string | undefined,
  { log, outputs }: Pick<Step, 'log' | 'outputs'>,
): void {
  if (link === undefined) return
  outputs.set('execution-url', link)
  log.info(describeLink(link))
}

/** Sets the outputs that do not depend on files. */
function reportSettled(report: ExecutionReport, { log, outputs, secrets }: ProgressStep): void {
  const { executionId, conclusion, ending, duration, attempts } = report
  outputs.set('conclusion', conclusion)
  if (executionId === undefined) {
    // A new execution may exist, so the outputs must not name the execution before the retry.
    if (attempts.length > 0) {
      outputs.set('execution-id', '')
      outputs.set('execution-url', '')
    }
    return
  }
  outputs.set('status', statusOutput(ending.status, secrets.show))
  outputs.set('duration-seconds', String(Math.round(duration / 1000)))
  if (ending.kind === 'finished') log.title('Result')
}

// The pauses between two progress lines, in milliseconds. The pauses become longer.
const firstSpan = 10_000
const minSpan = 30_000
const maxSpan = 60_000
const growth = 1.25

/** Calls `report` regularly with the milliseconds waited, until the returned function is called. */
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
