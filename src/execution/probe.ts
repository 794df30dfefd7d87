/** Asks the service for the state of an execution that an earlier attempt of the job started. */
import type { Clock, Deadline } from '../clock.ts'
import type { ExecutionService } from '../service/client.ts'
import type { HttpError, ServiceError } from '../service/errors.ts'
import type { WatchEnding } from './ending.ts'
import type { ProgressListener } from './follow-execution.ts'
import { poll } from './poll.ts'
import { grace, nothingKnown, type PollState } from './poll-state.ts'

/**
 * The state of an earlier execution. `ending` applies if the step makes no further checks. Further
 * checks continue from `state`.
 */
export type ProbeResult =
  | { kind: 'running'; ending: WatchEnding; state: PollState }
  | Extract<WatchEnding, { kind: 'finished' }>
  /** The service answered 401 or 403. */
  | { kind: 'refused'; failure: HttpError; ending: WatchEnding }
  /** The service answered only 404 for 30 s. */
  | { kind: 'not-found'; failure: HttpError }
  /** No valid answer came in time. */
  | {
      kind: 'unavailable'
      failure: ServiceError | undefined
      ending: WatchEnding
      state: PollState
    }
  | { kind: 'cancelled' }

export interface ProbeCollaborators {
  service: Pick<ExecutionService, 'executionStatus'>
  clock: Clock
  random: () => number
  cancelled: AbortSignal
  /** Checks are repeated until this deadline. Then one final check is made. */
  deadline: Deadline
  listener: Pick<ProgressListener, 'onStatus' | 'onCheck'>
}

// The pause between the first checks, in milliseconds.
const pollInterval = 1_000
/**
 * The maximum time of a probe, in milliseconds: 30 s until a 404 is final, plus 2 s for the answer
 * to the final check.
 */
export const maxProbeTime = grace + 2_000

/** Checks an execution until the service gives the first valid answer. */
export async function probe(
  executionId: string,
  { service, clock, random, cancelled, deadline, listener }: ProbeCollaborators,
): Promise<ProbeResult> {
  let state = nothingKnown
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
    untilAnswered: true,
    listener: {
      onCheck: (checks, next, pause) => {
        state = next
        listener.onCheck(checks, next, pause)
      },
    },
  })
  return resultOf(ending, state)
}

function resultOf(ending: WatchEnding, state: PollState): ProbeResult {
  switch (ending.kind) {
    case 'finished':
      // A run with a failure flag may finish later, so without `finished` the run counts as
      // running.
      return ending.status.finished ? ending : { kind: 'running', ending, state }
    case 'refused':
      return { kind: 'refused', failure: ending.failure, ending }
    case 'not-found':
      return { kind: 'not-found', failure: ending.failure }
    case 'timed-out':
    case 'rejected':
      // A status without an ending means that the service answered, and the run has not finished.
      return ending.status
        ? { kind: 'running', ending, state }
        : { kind: 'unavailable', failure: ending.failure, ending, state }
    case 'cancelled':
      return { kind: 'cancelled' }
  }
}
