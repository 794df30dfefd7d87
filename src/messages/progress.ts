/** The lines about an execution on its way. */
import { concludeFrom, conclusions } from '../execution/conclusion.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { conclusionOf, type Ending } from '../execution/ending.ts'
import type { PollState } from '../execution/poll-state.ts'
import type { StartRequest } from '../service/client.ts'
import { describeCount, describeElapsed, describeSize } from './quantities.ts'

/** What is started, without a value of what it is started with. */
export function describeStart(request: StartRequest): string {
  const { project, automation, seed, webhook, webhookHeaders } = request
  const headers = Object.keys(webhookHeaders ?? {}).length
  const seedSize =
    seed === undefined ? 'no seed' : `a seed of ${describeSize(Buffer.byteLength(seed))}`
  const webhookGiven = webhook === undefined ? 'its default webhook' : 'a webhook'
  const extras = `${seedSize}, ${webhookGiven}${headers ? ` with ${describeCount(headers, 'header')}` : ''}`
  return `Automation ${automation} of project ${project}, ${extras}`
}

/** What an earlier attempt started. */
export function describeKnown({
  project,
  automation,
  executionId,
}: Pick<StartRequest, 'project' | 'automation'> & { executionId: string }): string {
  return `Automation ${automation} of project ${project}, execution ${executionId}`
}

/** Both in milliseconds. */
export function describePace(pollInterval: number, timeout: number): string {
  if (timeout === 0) return 'Checking once (timeout: 0s)'
  return `Checking every ${describeElapsed(pollInterval)} at first, for at most ${describeElapsed(timeout)}`
}

export interface Progress {
  /** Milliseconds of waiting so far. */
  waited: number
  checks: number
  /** Milliseconds until the next check; 0 or less while one is made. */
  untilNext: number
  /** Undefined before the first check has come to anything. */
  state: PollState | undefined
}

export function describeProgress({ waited, checks, untilNext, state }: Progress): string {
  const next = untilNext > 0 ? `next in ${describeElapsed(untilNext)}` : 'the next one now'
  return `${describeState(state)} after ${describeElapsed(waited)}, ${describeCount(checks, 'check')}, ${next}`
}

/** No more than the checks have shown: an id may be unknown to the service, which may be down. */
function describeState(state: PollState | undefined): string {
  if (!state?.status) return 'no proper answer of the service yet'
  const { status, failure } = state
  if (failure) return 'no proper answer now (last seen running)'
  const outcome = concludeFrom(status)
  if (outcome === 'success') return 'still running'
  return `${outcome === 'stopped' ? 'stopped' : 'failed'}, but not finished yet`
}

/** The end of a wait in a few words. */
export function describeEnding(ending: Ending): string {
  if (ending.kind === 'timed-out') return ending.failure ? 'No end was seen' : 'Not over yet'
  return `The run ${conclusions[conclusionOf(ending)].verb}`
}

/** The verdict on a run that succeeded. */
export function describeSuccess({ automation, executionId = '' }: ExecutionReport): string {
  return `${automation ?? `Execution ${executionId}`} ${conclusions.success.verb}`
}
