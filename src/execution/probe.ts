/** What the service says now of an execution that was started before: asked before anything is decided. */
import type { Clock, Deadline } from '../clock.ts'
import type { ExecutionService } from '../service/client.ts'
import { HttpError, type ServiceError } from '../service/errors.ts'
import type { WatchEnding } from './ending.ts'
import type { ProgressListener } from './follow-execution.ts'
import { poll } from './poll.ts'
import { grace, nothingKnown, type PollState } from './poll-state.ts'

export type ProbeResult =
  | { kind: 'running' }
  | Extract<WatchEnding, { kind: 'finished' }>
  /** 401 or 403. */
  | { kind: 'refused'; failure: HttpError }
  /** 404 and nothing else, for as long as a service may need to know of a run. */
  | { kind: 'not-found'; failure: HttpError }
  /** No proper answer came in time. */
  | { kind: 'unavailable'; failure: ServiceError | undefined }
  | { kind: 'cancelled' }

export interface ProbeCollaborators {
  service: Pick<ExecutionService, 'executionStatus'>
  clock: Clock
  random: () => number
  cancelled: AbortSignal
  /** How long a proper answer is waited for; then one last check is made. */
  deadline: Deadline
  listener: Pick<ProgressListener, 'onStatus' | 'onTrouble' | 'onRecovery'>
}

// Milliseconds between two checks at first.
const pollInterval = 1_000
/** Milliseconds that the first answer may take and its 404 still count as one of 30 s. */
const maxFirstAnswer = 2_000

/** Asks until the first proper answer. */
export async function probe(
  executionId: string,
  { service, clock, random, cancelled, deadline, listener }: ProbeCollaborators,
): Promise<ProbeResult> {
  let state = nothingKnown
  let checkedAt = 0
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
    once: false,
    untilAnswered: true,
    listener: {
      onCheck: (_, seen) => {
        state = seen
        checkedAt = clock.now()
      },
      onPause: () => undefined,
      onTrouble: (failure) => listener.onTrouble(failure),
      onRecovery: () => listener.onRecovery(),
    },
  })
  return resultOf(ending, state, checkedAt)
}

function resultOf(ending: WatchEnding, state: PollState, checkedAt: number): ProbeResult {
  switch (ending.kind) {
    case 'finished':
      // A flag without `finished`: it may still finish, and whoever follows it decides.
      return ending.status.finished ? ending : { kind: 'running' }
    case 'refused':
      return { kind: 'refused', failure: ending.failure }
    case 'not-found':
    case 'timed-out':
    case 'rejected': {
      const { status, failure } = ending
      // With a status it ended at that answer, which was a proper one.
      if (status) return { kind: 'running' }
      return failure instanceof HttpError && hasLasted(state, checkedAt)
        ? { kind: 'not-found', failure }
        : { kind: 'unavailable', failure }
    }
    case 'cancelled':
      return { kind: 'cancelled' }
  }
}

/**
 * A 404 that came late, or was not asked for again since the service forbade it (`Retry-After`), has
 * not lasted long enough to prove anything.
 */
function hasLasted({ missingSince, failingSince }: PollState, checkedAt: number): boolean {
  if (missingSince === undefined) return false
  const isFirstAnswer = missingSince === failingSince
  return checkedAt - missingSince >= grace - (isFirstAnswer ? maxFirstAnswer : 0)
}
