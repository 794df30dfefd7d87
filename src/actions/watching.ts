/** The wait for a run's end, and the lines that tell of it. */
import type { Clock, Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { follow, type Ending } from '../execution/follow.ts'
import type { AutomationService } from '../service/client.ts'
import { describeElapsed } from '../github/elapsed.ts'
import type { Step } from '../github/step.ts'

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

export async function watchRun(
  { executionId, pollInterval, timeout, deadline }: WaitingPlan,
  service: AutomationService,
  { log, clock, random, cancelled }: Step,
): Promise<Watched> {
  log.title('Wait')
  const progress = { since: clock.now(), checks: 0, nextAt: 0 }
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
      onCheck: (checks) => (progress.checks = checks),
      onPause: (pause) => (progress.nextAt = clock.now() + pause),
      onTrouble: (failure) =>
        log.warning(
          `The service has not answered properly for a minute (${messageOf(failure)}). Going on until the timeout.`,
        ),
      onRecovery: () => log.info('The service answers properly again'),
    },
  })
  ended.abort()
  await heartbeat
  const { since, checks } = progress
  log.info(
    `${describeEnding(ending)} after ${describeElapsed(clock.now() - since)}, ${checks} checks`,
  )
  return { ending, checks }
}

function describeEnding(ending: Ending): string {
  switch (ending.kind) {
    case 'finished':
      return ending.outcome === 'success' ? 'Finished' : `Finished with ${ending.outcome}`
    case 'timed-out':
      return 'Not finished'
    case 'cancelled':
      return 'Cancelled'
    case 'not-found':
      return 'Not found'
    case 'refused':
      return 'No longer allowed to watch'
  }
}

interface Progress {
  since: number
  checks: number
  nextAt: number
}

function describeProgress({ since, checks, nextAt }: Progress, clock: Clock): string {
  const now = clock.now()
  const next = describeElapsed(Math.max(0, nextAt - now))
  return `still running after ${describeElapsed(now - since)}, ${checks} checks, next in ${next}`
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
