/** Why no more runs of a batch are started, from what the engine tells of it. */
import type { StopCause, StopReason } from '../../execution/batch/stop.ts'
import type { Show } from '../text/secrets.ts'
import { describeStop, type BatchStop } from './progress.ts'

/** Undefined where it was no run. */
export function stopOf(
  reason: StopReason | undefined,
  cause: StopCause | undefined,
): BatchStop | undefined {
  if (!cause) return undefined
  const number = cause.seed.index + 1
  if (reason === 'fail-fast') return { kind: 'fail-fast', number }
  const { failure, call = 'start' } = cause
  if (reason !== 'credentials' || !failure) return undefined
  const { status, words } = failure
  return { kind: 'credentials-refused', call, number, status, words }
}

/** The line of the log at that moment. */
export function describeStopReason(
  reason: StopReason,
  cause: StopCause | undefined,
  show: Show,
): string {
  const stop = stopOf(reason, cause)
  if (stop) return describeStop(stop, show)
  switch (reason) {
    case 'timed-out':
      return 'The input timeout ran out. No more runs are started.'
    case 'cancelled':
      return 'The step was cancelled. No more runs are started.'
    case 'fail-fast':
    case 'credentials':
    case 'internal-error':
      return 'No more runs are started.'
  }
}
