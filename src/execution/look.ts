/** What became of an execution that was started before: asked for before anything else is decided. */
import { type Clock, Deadline } from '../clock.ts'
import type { AutomationService } from '../service/client.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import type { HttpError, ServiceError } from '../service/errors.ts'
import type { WatchEnding } from './ending.ts'
import { poll } from './poll.ts'
import { grace, nothingKnown, type PollState } from './poll-state.ts'

export type Look =
  | { kind: 'running' }
  | Extract<WatchEnding, { kind: 'finished' }>
  /** 401 or 403. */
  | { kind: 'refused'; failure: HttpError }
  /** 404 and nothing else, for as long as a service may need to know of a run. */
  | { kind: 'not-found'; failure: HttpError }
  /** No proper answer came in that time. */
  | { kind: 'not-learned'; failure: ServiceError | undefined }
  | { kind: 'cancelled' }

export interface LookCollaborators {
  service: Pick<AutomationService, 'executionStatus'>
  clock: Clock
  random: () => number
  cancelled: AbortSignal
  /** Every status record, before anything is done with it: its links are secrets. */
  onStatus: (status: ExecutionStatus) => void
}

// Milliseconds between two checks at first.
const pollInterval = 1_000
/** Milliseconds that the first answer may take and its 404 still count as one of 30 s. */
const longestFirstAnswer = 2_000

/** Asks until the first proper answer, for 30 s at most and one last check. */
export async function lookAt(
  executionId: string,
  { service, clock, random, cancelled, onStatus }: LookCollaborators,
): Promise<Look> {
  using deadline = new Deadline(clock, grace, cancelled)
  let state = nothingKnown
  let checkedAt = 0
  const check = async (signal: AbortSignal) => {
    const status = await service.executionStatus(executionId, signal)
    onStatus(status)
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
      onCheck: (_, told) => {
        state = told
        checkedAt = clock.now()
      },
      onPause: () => undefined,
      onTrouble: () => undefined,
      onRecovery: () => undefined,
    },
  })
  return lookFrom(ending, state, checkedAt)
}

function lookFrom(ending: WatchEnding, state: PollState, checkedAt: number): Look {
  switch (ending.kind) {
    case 'finished':
      // A flag without `finished`: it may still finish, and whoever follows it decides.
      return ending.status.finished ? ending : { kind: 'running' }
    case 'refused':
      return { kind: 'refused', failure: ending.failure }
    case 'not-found':
      return hasLasted(state, checkedAt)
        ? { kind: 'not-found', failure: ending.failure }
        : { kind: 'not-learned', failure: ending.failure }
    case 'timed-out':
    case 'rejected':
      // With a status it ended at that answer, which was a proper one.
      return ending.status ? { kind: 'running' } : { kind: 'not-learned', failure: ending.failure }
    case 'cancelled':
      return { kind: 'cancelled' }
  }
}

/**
 * A 404 that came late or after other failures, or was not asked for again since the service
 * forbade it (`Retry-After`), has not lasted long enough to prove anything.
 */
function hasLasted({ missingSince, failingSince }: PollState, checkedAt: number): boolean {
  if (missingSince === undefined || missingSince !== failingSince) return false
  return checkedAt - missingSince >= grace - longestFirstAnswer
}
