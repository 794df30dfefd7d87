import type { Clock, Deadline } from '../clock.ts'
import type { ExecutionService, StartRequest } from '../service/client.ts'
import type { StartAnswer } from '../service/contract.ts'
import type { ServiceError } from '../service/errors.ts'
import { sendAtMostOnce, type RetryLimits, type SendOutcome } from '../service/send-at-most-once.ts'

export interface StartCollaborators {
  service: Pick<ExecutionService, 'startAutomation'>
  clock: Clock
  /** A number between 0 and 1, as from `Math.random`. */
  random: () => number
  /** How often, and for how long, a start that was not accepted is sent again. */
  startLimits?: RetryLimits
}

export interface StartListener {
  /** A start that the service did not accept is sent again after `pause` milliseconds. */
  onStartRetry(error: ServiceError, pause: number): void
  /** Called as soon as the id is known. */
  onStarted(answer: StartAnswer): void
}

/**
 * Sends the start of an execution. Sends it again only if it cannot have been accepted. Never
 * rejects. `deadline`, or the cancellation that is its parent, ends pauses and new tries.
 */
export async function startExecution(
  request: StartRequest,
  { signal }: Pick<Deadline, 'signal'>,
  { service, clock, random, startLimits }: StartCollaborators,
  listener: StartListener,
): Promise<SendOutcome<StartAnswer>> {
  const outcome = await sendAtMostOnce((own) => service.startAutomation(request, own), {
    clock,
    signal,
    random,
    ...(startLimits && { limits: startLimits }),
    onPause: (error, pause) => listener.onStartRetry(error, pause),
  })
  if (outcome.kind === 'accepted') listener.onStarted(outcome.value)
  return outcome
}
