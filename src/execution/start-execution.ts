import type { Clock, Deadline } from '../clock.ts'
import type { ExecutionService, StartRequest } from '../service/client.ts'
import type { StartAnswer } from '../service/contract.ts'
import type { ServiceError } from '../service/errors.ts'
import { sendAtMostOnce, type SendOutcome } from '../service/send-at-most-once.ts'

interface StartCollaborators {
  service: Pick<ExecutionService, 'startAutomation'>
  clock: Clock
  random: () => number
  /** How long a start that the service did not accept is sent again, in milliseconds. */
  maxStartTime?: number
}

export interface StartListener {
  /** Called if a start was not accepted. The start is sent again after `pause` milliseconds. */
  onStartRetry(error: ServiceError, pause: number): void
  /** Called as soon as the id of the execution is known. */
  onStarted(answer: StartAnswer): void
}

/**
 * Starts an execution. Repeats the request only if the service cannot have accepted the request.
 * Never rejects. The signal of the deadline ends pauses and prevents further tries.
 */
export async function startExecution(
  request: StartRequest,
  { signal }: Pick<Deadline, 'signal'>,
  { service, clock, random, maxStartTime }: StartCollaborators,
  listener: StartListener,
): Promise<SendOutcome<StartAnswer>> {
  const send = (own: AbortSignal, whileConnecting: AbortSignal) =>
    service.startAutomation(request, own, whileConnecting)
  const outcome = await sendAtMostOnce(send, {
    clock,
    signal,
    random,
    maxTime: maxStartTime,
    onPause: (error, pause) => listener.onStartRetry(error, pause),
  })
  if (outcome.kind === 'accepted') listener.onStarted(outcome.value)
  return outcome
}
