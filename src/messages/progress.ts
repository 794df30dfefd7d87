/** Composes the log lines about an execution that is running. */
import { concludeFrom, conclusions } from '../execution/conclusion.ts'
import type { DownloadEvent } from '../download/download.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { conclusionOf, type Ending } from '../execution/ending.ts'
import type { PollState } from '../execution/poll-state.ts'
import { messageOf } from '../errors.ts'
import type { StartRequest } from '../service/client.ts'
import type { ServiceError } from '../service/errors.ts'
import { describeCount, describeElapsed, describeSize } from './quantities.ts'
import { showWords, type Show } from './text/secrets.ts'
import { unpunctuated } from './text/untrusted-text.ts'

/** Describes a start. The text contains no value of the seed, the webhook or the headers. */
export function describeStart(request: StartRequest): string {
  const { project, automation, seed, webhook, webhookHeaders } = request
  const headers = Object.keys(webhookHeaders ?? {}).length
  const seedSize =
    seed === undefined ? 'no seed' : `a seed of ${describeSize(Buffer.byteLength(seed))}`
  const webhookGiven =
    webhook === undefined ? "the automation's default webhook (set in the dashboard)" : 'a webhook'
  const extras = `${seedSize}, ${webhookGiven}${headers ? ` with ${describeCount(headers, 'header')}` : ''}`
  return `Automation ${automation} of project ${project}, ${extras}`
}

/** Describes an execution that an earlier attempt of the job started. */
export function describeKnown(project: string, automation: string, executionId: string): string {
  return `Automation ${automation} of project ${project}, execution ${executionId}`
}

/** Says why a start was not accepted, and when it is sent again. `pause` is in milliseconds. */
export function describeStartRetry(error: ServiceError, pause: number, show: Show): string {
  const why = showWords(messageOf(error), show)
  return `not accepted (${why}). Next try in ${describeElapsed(pause)}.`
}

/** Says how often and how long the step checks the run. Both arguments are in milliseconds. */
export function describePace(pollInterval: number, timeout: number): string {
  if (timeout === 0) return 'Checking once (timeout: 0s)'
  return `Checking every ${describeElapsed(pollInterval)} at first, for at most ${describeElapsed(timeout)}`
}

/** Describes a failed check. `pause` is the time until the next check, if a check follows. */
export function describeFailedCheck(
  failure: ServiceError,
  pause: number | undefined,
  show: Show,
): string {
  const why = unpunctuated(showWords(messageOf(failure), show))
  const said = `A check got no proper answer (${why})`
  if (pause === undefined) return said
  // If the timeout cut the check, the last check follows without a pause.
  return `${said}; checking again ${pause === 0 ? 'at once' : `in ${describeElapsed(pause)}`}`
}

export interface Progress {
  /** How long the step has waited, in milliseconds. */
  waited: number
  checks: number
  /** The time until the next check, in milliseconds. The value is 0 or less during a check. */
  untilNext: number
  /** The state of the run according to the checks. Undefined until the first check has ended. */
  state: PollState | undefined
}

/** The shortest pause that a log line mentions, in milliseconds. */
const minNamedPause = 10_000

export function describeProgress({ waited, checks, untilNext, state }: Progress): string {
  const next = untilNext > minNamedPause ? `, next in ${describeElapsed(untilNext)}` : ''
  return `${describeState(state)} after ${describeElapsed(waited)}, ${describeCount(checks, 'check')}${next}`
}

/** Describes the state of the run, as far as the checks have shown the state. */
function describeState(state: PollState | undefined): string {
  if (!state?.status) return 'no proper answer from the service yet'
  const { status, failure } = state
  if (failure) return 'no proper answer now (last seen running)'
  const outcome = concludeFrom(status)
  if (outcome === 'success') return 'still running'
  return `${outcome === 'stopped' ? 'stopped' : 'failed'}, but not finished yet`
}

/** Says in a few words how waiting for a run ended. */
export function describeEnding(ending: Ending): string {
  if (ending.kind === 'timed-out')
    return ending.failure ? 'The end of the run was not seen' : 'The run has not finished yet'
  return `The run ${conclusions[conclusionOf(ending)].verb}`
}

/** Says that a download is tried again, or that a file was not decoded. */
export function describeDownload(event: DownloadEvent, show: Show): string {
  switch (event.kind) {
    case 'encoded':
      return `the ${event.what} is not decoded (content-encoding: ${showWords(event.encoding, show)}); its bytes stay as they came`
    case 'retry':
      return `the ${event.what} was not downloaded (${showWords(event.why, show)}); trying again in ${describeElapsed(event.pause)}`
  }
}

export function describeSuccess({ automation, executionId = '' }: ExecutionReport): string {
  return `${automation ?? `Execution ${executionId}`} ${conclusions.success.verb}`
}
