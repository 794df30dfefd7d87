/** Asks the service about an execution that was started before. */
import type { Clock, Deadline } from '../clock.ts'
import type { ExecutionService } from '../service/client.ts'
import type { HttpError, ServiceError } from '../service/errors.ts'
import type { WatchEnding } from './ending.ts'
import type { ProgressListener } from './follow-execution.ts'
import { poll } from './poll.ts'
import { grace } from './poll-state.ts'

/** `ending` is the result if no time is left for more than this look. */
export type ProbeResult =
  | { kind: 'running'; ending: WatchEnding }
  | Extract<WatchEnding, { kind: 'finished' }>
  /** 401 or 403. */
  | { kind: 'refused'; failure: HttpError; ending: WatchEnding }
  /** 404 and nothing else, for as long as a service may need to know of a run. */
  | { kind: 'not-found'; failure: HttpError }
  /** No proper answer came in time. */
  | { kind: 'unavailable'; failure: ServiceError | undefined; ending: WatchEnding }
  | { kind: 'cancelled' }

export interface ProbeCollaborators {
  service: Pick<ExecutionService, 'executionStatus'>
  clock: Clock
  random: () => number
  cancelled: AbortSignal
  /** A proper answer is waited for until this deadline. Then one last check is made. */
  deadline: Deadline
  /** Looks once, however little that shows (`timeout: 0s`). */
  once?: boolean
  listener: Pick<ProgressListener, 'onStatus' | 'onTrouble' | 'onRecovery'>
}

// Milliseconds between two checks at first.
const pollInterval = 1_000
/** Milliseconds. Long enough to see a 404 that lasts, even if the first answer takes 2 s. */
export const maxProbeTime = grace + 2_000

/** Asks until the first proper answer. */
export async function probe(
  executionId: string,
  { service, clock, random, cancelled, deadline, once = false, listener }: ProbeCollaborators,
): Promise<ProbeResult> {
  const check = async (signal: AbortSignal) => {
    const status = await service.executionStatus(executionId, signal)
    listener.onStatus(status)
    return status
  }
  const ending = await poll({
    check,
    clock,
    deadline,
    cancelled,
    pollInterval,
    random,
    once,
    untilAnswered: true,
    listener: {
      onCheck: () => undefined,
      onPause: () => undefined,
      onTrouble: (failure) => listener.onTrouble(failure),
      onRecovery: () => listener.onRecovery(),
    },
  })
  return resultOf(ending)
}

function resultOf(ending: WatchEnding): ProbeResult {
  switch (ending.kind) {
    case 'finished':
      // A flag without `finished`: it may still finish, and whoever follows it decides.
      return ending.status.finished ? ending : { kind: 'running', ending }
    case 'refused':
      return { kind: 'refused', failure: ending.failure, ending }
    case 'not-found':
      return { kind: 'not-found', failure: ending.failure }
    case 'timed-out':
    case 'rejected':
      // With a status it ended at that answer, which was a proper one.
      return ending.status
        ? { kind: 'running', ending }
        : { kind: 'unavailable', failure: ending.failure, ending }
    case 'cancelled':
      return { kind: 'cancelled' }
  }
}
