/** Logs the progress of a run. */
import type { Clock } from '../clock.ts'
import type { RunEvent } from '../execution/events.ts'
import { nothingSeen, type Seen } from '../execution/seen.ts'
import { capitalised } from '../messages/advice.ts'
import {
  describeDownload,
  describeFailedCheck,
  describeOddStart,
  describeProgress,
  describeRetry,
  describeStartRetry,
  describeWatchEnd,
} from '../messages/progress.ts'
import { describeLink, type LinkOf } from '../messages/run-link.ts'
import type { Step } from '../runner/step.ts'

type LogStep = Pick<Step, 'log' | 'clock'>

export class RunLog implements Disposable {
  readonly #linkOf: LinkOf
  readonly #step: LogStep
  #seen = nothingSeen
  /** The time of the next check. */
  #nextAt = 0
  #stopHeartbeat: (() => void) | undefined

  constructor(linkOf: LinkOf, step: LogStep) {
    this.#linkOf = linkOf
    this.#step = step
  }

  write(event: RunEvent): void {
    const { log, clock } = this.#step
    switch (event.kind) {
      case 'start-retry':
        log.info(capitalised(describeStartRetry(event.failure, event.pause)))
        break
      case 'started':
        this.#writeStart(event.executionId, event.message)
        break
      case 'odd-start':
        log.info(capitalised(describeOddStart(event.status)))
        break
      case 'watching':
        this.#beginWait()
        break
      case 'checked':
        this.#seen = event.seen
        this.#nextAt = clock.now() + (event.pause ?? 0)
        logFailedCheck(event.seen, event.pause, log)
        break
      case 'ended': {
        const { end, isRetryDue } = event
        this.#stopHeartbeat?.()
        if ('executionId' in end) log.info(describeWatchEnd(end))
        if (end.kind === 'finished' && !isRetryDue) log.title('Result')
        break
      }
      case 'download':
        log.info(capitalised(describeDownload(event.download)))
        break
      case 'retrying':
        log.title('Retry')
        log.info(describeRetry(event.report, event))
        break
      case 'collected':
    }
  }

  #writeStart(executionId: string, message: string): void {
    const { log } = this.#step
    const words = message ? ` ("${message}")` : ''
    log.info(`Started as execution ${executionId}${words}`)
    logLink(executionId, this.#linkOf, log)
  }

  #beginWait(): void {
    const { log, clock } = this.#step
    log.title('Wait')
    this.#stopHeartbeat?.()
    this.#seen = nothingSeen
    this.#nextAt = 0
    // Logs progress regularly, because a long time may pass between two status checks.
    this.#stopHeartbeat = startHeartbeat(clock, (waited) => {
      const untilNext = this.#nextAt - clock.now()
      log.info(describeProgress({ seen: this.#seen, waited, untilNext }))
    })
  }

  [Symbol.dispose](): void {
    this.#stopHeartbeat?.()
  }
}

/** Logs the link to an execution. Does nothing without the input `dashboard-url`. */
export function logLink(executionId: string, linkOf: LinkOf, log: Step['log']): void {
  const link = linkOf(executionId)
  if (link !== undefined) log.info(describeLink(link))
}

/**
 * Logs a check that failed. The first failed check after a proper answer is a line of the log. The
 * failed checks after it are lines of the debug log.
 */
function logFailedCheck(
  { failure, failures }: Seen,
  pause: number | undefined,
  log: Step['log'],
): void {
  if (!failure) return
  const words = describeFailedCheck(failure, pause)
  if (failures === 1) log.info(words)
  else log.debug(words)
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
