/** Starts an execution. */
import type { StartAnswer } from '../service/contract.ts'
import { sendAtMostOnce, type NotAccepted } from '../service/send-at-most-once.ts'
import type { Emit, Started } from './events.ts'
import type { StepEnv } from './watch.ts'

/**
 * Sends one start. The second signal aborts at the timeout or cancellation of the step, and ends the
 * request as long as no connection is made. The first signal aborts later (`lastAnswerTime`), and ends
 * the request. In a batch, waits for its turn, and rejects with a `NotSentError` if the batch stops
 * first.
 */
export type SendStart = (
  untilAnswered: AbortSignal,
  untilConnected: AbortSignal,
) => Promise<StartAnswer>

export interface StartEnv extends StepEnv {
  sendStart: SendStart
  /** How long a start that the service did not accept is sent again, in milliseconds. */
  maxStartTime?: number
  /** Aborts when a batch starts no more runs. Ends the pauses before a start. */
  noMoreStarts?: AbortSignal
}

/**
 * Sends the start of an execution. Returns its id or why no start was clearly accepted.
 * Repeats the request only if the service cannot have accepted it. Never rejects. `until` ends
 * pauses and prevents further tries.
 */
export async function startRun(
  until: AbortSignal,
  { sendStart, maxStartTime, noMoreStarts, clock, random }: StartEnv,
  emit: Emit,
): Promise<Started | NotAccepted> {
  const outcome = await sendAtMostOnce(sendStart, {
    clock,
    until,
    noMoreTries: noMoreStarts,
    random,
    maxTime: maxStartTime,
    onPause: (failure, pause) => emit({ kind: 'start-retry', failure, pause }),
  })
  if (outcome.kind !== 'accepted') return outcome
  const { executionId, message, status } = outcome.value
  const started = { kind: 'started', executionId, message, status } as const
  emit(started)
  return started
}
