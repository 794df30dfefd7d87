/** Logs the progress of a run. */
import type { RunEvent, Started } from '../execution/events.ts'
import { nothingSeen, type Seen } from '../execution/seen.ts'
import { capitalised } from '../messages/advice.ts'
import { cancelledBeforeFound, type RerunLine } from '../messages/describe-rerun.ts'
import {
  describeEvent,
  describeFailedCheck,
  describeProgress,
  describeWatchEnd,
} from '../messages/progress.ts'
import { describeExecutionUrl, type ExecutionUrlOf } from '../messages/execution-url.ts'
import type { Step } from '../runner/step.ts'

type LogStep = Pick<Step, 'log' | 'clock' | 'heartbeat'>

export class RunLog {
  readonly #executionUrlOf: ExecutionUrlOf
  readonly #step: LogStep
  #seen = nothingSeen
  /** The time of the next check. */
  #nextAt = 0

  constructor(executionUrlOf: ExecutionUrlOf, step: LogStep) {
    this.#executionUrlOf = executionUrlOf
    this.#step = step
  }

  write(event: RunEvent): void {
    const { log, clock, heartbeat } = this.#step
    switch (event.kind) {
      case 'started':
        this.#writeStart(event)
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
        heartbeat.begin(end.kind === 'finished' ? 'processing the files of the run' : 'publishing')
        if ('executionId' in end) log.info(describeWatchEnd(end))
        if (end.kind === 'finished' && !isRetryDue) log.title('Result')
        break
      }
      case 'retrying':
        log.title('Retry')
        heartbeat.begin('retrying')
        break
      case 'recorded':
      case 'start-retry':
      case 'download':
      case 'collected':
    }
    const words = describeEvent(event)
    if (words !== undefined) log.info(capitalised(words))
  }

  #writeStart({ executionId, message }: Started): void {
    const { log } = this.#step
    const words = message ? ` ("${message}")` : ''
    log.info(`Started as execution ${executionId}${words}`)
    logExecutionUrl(executionId, this.#executionUrlOf, log)
  }

  #beginWait(): void {
    const { log, clock, heartbeat } = this.#step
    log.title('Wait')
    this.#seen = nothingSeen
    this.#nextAt = 0
    heartbeat.begin((waited) => {
      return describeProgress(this.#seen, waited, this.#nextAt - clock.now())
    })
  }
}

/** Logs what a re-run does with the runs of an earlier attempt. */
export function logRerun(
  said: RerunLine,
  { log, cancelled }: Pick<Step, 'log' | 'cancelled'>,
): void {
  if (typeof said === 'string') log.info(said)
  // A cancelled step did not finish reading the record, so it must not call the record unreadable.
  else if (said.name === 'rerun-record-unreadable' && cancelled.aborted) {
    log.info(cancelledBeforeFound)
  } else log.note(said.name, said.values)
}

/** Logs the link to an execution. Does nothing without the input `dashboard-url`. */
export function logExecutionUrl(
  executionId: string,
  executionUrlOf: ExecutionUrlOf,
  log: Step['log'],
): void {
  const link = executionUrlOf(executionId)
  if (link !== undefined) log.info(describeExecutionUrl(link))
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
