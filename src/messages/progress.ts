/** Composes the log lines about an execution that is running. */
import { concludeFrom, conclusions } from '../execution/conclusion.ts'
import type { DownloadEvent } from '../download/download.ts'
import type { RunEvent } from '../execution/events.ts'
import { conclusionOf, executionIdOf, type RunReport, type WatchEnd } from '../execution/report.ts'
import type { Seen } from '../execution/seen.ts'
import { messageOf } from '../errors.ts'
import type { StartRequest } from '../service/client.ts'
import type { ServiceError } from '../service/service-errors.ts'
import { causeWords } from './cause.ts'
import { describeCount, describeElapsed, describeSize } from './quantities.ts'
import { unpunctuated } from './text/untrusted-text.ts'

/** Describes a start. The text contains no value of the seed, the webhook or the headers. */
export function describeStart(request: StartRequest): string {
  const { project, automation, seed, webhook, webhookHeaders } = request
  const headers = Object.keys(webhookHeaders ?? {}).length
  const seedSize =
    seed === undefined ? 'no seed' : `a seed of ${describeSize(Buffer.byteLength(seed))}`
  const withHeaders = headers ? ` with ${describeCount(headers, 'header')}` : ''
  // Headers without a webhook go to the automation's own webhook, which the dashboard sets.
  const delivery = webhook === undefined ? withHeaders && 'its own webhook' : 'a webhook'
  const extras = delivery ? `${seedSize}, ${delivery}${withHeaders}` : seedSize
  return `Automation ${automation} of project ${project}, ${extras}`
}

/** Describes an execution that an earlier attempt of the job started. */
export function describeKnown(project: string, automation: string, executionId: string): string {
  return `Automation ${automation} of project ${project}, execution ${executionId}`
}

/** Says why a start was not accepted, and when it is sent again. `pause` is in milliseconds. */
export function describeStartRetry(failure: unknown, pause: number): string {
  return `not accepted (${messageOf(failure)}). Next try in ${describeElapsed(pause)}.`
}

/** Describes an event in the words that the logs of a run and of a batch share, if they share any. */
export function describeEvent(event: RunEvent): string | undefined {
  switch (event.kind) {
    case 'start-retry':
      return describeStartRetry(event.failure, event.pause)
    case 'started':
      if (event.status < 300) return undefined
      return `the service answered this start with ${event.status}, and named the execution. The checks will show whether the execution exists.`
    case 'download':
      return describeDownload(event.download)
    case 'retrying':
      return describeRetry(event.report, event)
    case 'recorded':
    case 'watching':
    case 'checked':
    case 'ended':
    case 'collected':
      return undefined
  }
}

/** Describes a failed check. `pause` is the time until the next check, if a check follows. */
export function describeFailedCheck(failure: ServiceError, pause: number | undefined): string {
  const said = `A check got no proper answer (${unpunctuated(failure.message)})`
  if (pause === undefined) return said
  // If the timeout cut the check, the last check follows without a pause.
  return `${said}; checking again ${pause === 0 ? 'at once' : `in ${describeElapsed(pause)}`}`
}

/** Describes a retry: how the latest execution ended, and what follows. */
function describeRetry(
  { executions }: Pick<RunReport, 'executions'>,
  { pause, max }: { pause: number; max: number },
): string {
  const { executionId = '', conclusion = '', cause } = executions.at(-1) ?? {}
  const why = unpunctuated(causeWords(cause))
  const ended = `Execution ${executions.length} (${executionId}) ended with ${conclusion}`
  const follows = `Execution ${executions.length + 1} (of at most ${max}) starts in ${describeElapsed(pause)}.`
  return `${ended}${why ? ` (${why})` : ''}. ${follows}`
}

/** Returns why a due retry was not started, as a sentence. Undefined if no retry was due. */
export function describeNotRetried(report: Partial<RunReport>): string | undefined {
  const { executions = [], notRetried } = report
  if (notRetried === undefined) return undefined
  return `Execution ${executions.length + 1} was not started: ${unpunctuated(notRetried)}.`
}

/** The shortest pause that a log line mentions, in milliseconds. */
const minNamedPause = 10_000

/** Describes what the checks have shown after `waited`. `untilNext` is 0 or less during a check. */
export function describeProgress(seen: Seen, waited: number, untilNext: number): string {
  const next = untilNext > minNamedPause ? `, next in ${describeElapsed(untilNext)}` : ''
  return `${describeState(seen)} after ${describeElapsed(waited)}, ${describeCount(seen.checks, 'check')}${next}`
}

/** Describes the state of the run, as far as the checks have shown the state. */
function describeState({ status, failure }: Seen): string {
  if (!status) return 'no proper answer from the service yet'
  if (failure) return 'no proper answer now (last seen running)'
  const outcome = concludeFrom(status)
  if (outcome === 'success') return 'still running'
  return `${outcome === 'stopped' ? 'stopped' : 'failed'}, but not finished yet`
}

/** Says in a few words how waiting for a run ended. */
export function describeWatchEnd(end: WatchEnd): string {
  const { checks, failure } = end.seen
  const timedOut = failure ? 'The end of the run was not seen' : 'The run has not finished yet'
  const ended = `The run ${conclusions[conclusionOf(end)].verb}`
  return `${end.kind === 'timed-out' ? timedOut : ended} (${describeCount(checks, 'check')})`
}

/** Says that a download is tried again, or that a file was not decoded. */
function describeDownload(event: DownloadEvent): string {
  return event.kind === 'encoded'
    ? `the ${event.what} is not decoded (content-encoding: ${event.encoding}); its bytes stay as they came`
    : `the ${event.what} was not downloaded (${event.why}); trying again in ${describeElapsed(event.pause)}`
}

export function describeSuccess({ target, end }: RunReport): string {
  const subject = target?.automation ?? `Execution ${executionIdOf(end) ?? ''}`
  return `${subject} ${conclusions.success.verb}`
}
