/** The wait for a run's end, and the lines that tell of it. */
import type { Clock, Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { concludeFrom, type Outcome } from '../execution/conclusion.ts'
import type { Ending } from '../execution/ending.ts'
import { follow } from '../execution/poll.ts'
import type { PollState } from '../execution/poll-state.ts'
import type { AutomationService } from '../service/client.ts'
import { HttpError } from '../service/errors.ts'
import { describeCount } from '../messages/count.ts'
import { describeElapsed } from '../messages/elapsed.ts'
import type { Step } from '../runner/step.ts'

export interface Watched {
  ending: Ending
  /** How many times the service was asked. */
  checks: number
}

export interface WaitingPlan {
  executionId: string
  pollInterval: number
  timeout: number
  deadline: Deadline
}

type Needed = 'log' | 'clock' | 'random' | 'cancelled' | 'secrets'

export async function watchRun(
  { executionId, pollInterval, timeout, deadline }: WaitingPlan,
  service: AutomationService,
  { log, clock, random, cancelled, secrets }: Pick<Step, Needed>,
): Promise<Watched> {
  log.title('Wait')
  log.info(describePace(pollInterval, timeout))
  const progress: Progress = { since: clock.now(), checks: 0, nextAt: 0, told: undefined }
  const ended = new AbortController()
  const heartbeat = beat(clock, ended.signal, () => log.info(describeProgress(progress, clock)))
  const ending = await follow({
    check: (signal) => service.executionStatus(executionId, signal),
    clock,
    deadline,
    cancelled,
    pollInterval,
    once: timeout === 0,
    random,
    observer: {
      onCheck: (checks, told) => Object.assign(progress, { checks, told }),
      onPause: (pause) => (progress.nextAt = clock.now() + pause),
      onTrouble: (failure) =>
        log.warning(
          `The service has not answered properly for a minute (${secrets.words(messageOf(failure))}). Going on until the timeout.`,
        ),
      onRecovery: () => log.info('The service answers properly again'),
    },
  })
  ended.abort()
  await heartbeat
  const { checks } = progress
  log.info(`${describeEnding(ending)} (${describeCount(checks, 'check')})`)
  return { ending, checks }
}

function describePace(pollInterval: number, timeout: number): string {
  if (timeout === 0) return 'Checking once (timeout: 0s)'
  return `Checking every ${describeElapsed(pollInterval)} at first, for at most ${describeElapsed(timeout)}`
}

const outcomes: Record<Outcome, string> = {
  success: 'Finished',
  error: 'Finished with an error',
  'container-error': 'Finished, since its container died',
  stopped: 'Stopped',
}

function describeEnding(ending: Ending): string {
  switch (ending.kind) {
    case 'finished':
      return outcomes[ending.outcome]
    case 'timed-out':
      return ending.failure ? 'No end was seen' : 'Not finished'
    case 'cancelled':
      return 'Cancelled'
    case 'not-found':
      return 'Not found'
    case 'refused':
      return 'No longer allowed to watch'
    case 'rejected':
      return 'Can no longer be watched'
  }
}

interface Progress {
  since: number
  checks: number
  nextAt: number
  /** Undefined before the first check has come to anything. */
  told: PollState | undefined
}

function describeProgress({ since, checks, nextAt, told }: Progress, clock: Clock): string {
  const now = clock.now()
  const next = nextAt > now ? `next in ${describeElapsed(nextAt - now)}` : 'the next one now'
  return `${describeKnown(told)} after ${describeElapsed(now - since)}, ${describeCount(checks, 'check')}, ${next}`
}

/** No more than the checks have told: an id may be unknown to the service, which may be down. */
function describeKnown(told: PollState | undefined): string {
  if (!told) return 'no answer of the service yet'
  const { status, failure } = told
  if (!status) {
    const isMissing = failure instanceof HttpError && failure.status === 404
    return isMissing ? 'not known to the service yet' : 'no proper answer of the service yet'
  }
  if (failure) return 'no proper answer now (last seen running)'
  const outcome = concludeFrom(status)
  if (outcome === 'success') return 'still running'
  return `${outcome === 'stopped' ? 'stopped' : 'failed'}, but not finished yet`
}

// The first sign of life after ten seconds; then ever more rarely, every 30 s to 60 s.
const firstBeat = 10_000
const shortestBeat = 30_000
const longestBeat = 60_000
const growth = 1.25

/** Says that the step is alive, independently of checks, which may lie far apart. */
async function beat(clock: Clock, ended: AbortSignal, tell: () => void): Promise<void> {
  let span = firstBeat
  try {
    for (;;) {
      await clock.sleep(span, ended)
      tell()
      span = Math.min(longestBeat, Math.max(shortestBeat, span * growth))
    }
  } catch {
    // The wait is over.
  }
}
