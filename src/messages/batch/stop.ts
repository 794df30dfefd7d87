/** Why no more runs of a batch are started. */
import type { StopCause } from '../../execution/batch/batch.ts'
import type { StopReason } from '../../execution/batch/record.ts'
import { describeCount } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'

/** Of which run that was, counted from 1. */
export type BatchStop =
  | { kind: 'fail-fast'; number: number }
  /** 401 or 403; `words` are the service's own. */
  | {
      kind: 'credentials-refused'
      call: 'start' | 'check'
      number: number
      status: number
      words: string
    }

const maxWordsLength = 300

/** What is said of a run that was not started for it. */
export const stopWords: Readonly<Record<StopReason, string>> = {
  cancelled: 'the step was cancelled before its turn',
  'timed-out': 'the input timeout ran out before its turn',
  credentials: 'the service refused the credentials',
  'fail-fast': 'an earlier run failed (fail-fast)',
  'internal-error': 'the step itself went wrong before its turn',
}

export function stopOf(cause: StopCause): BatchStop {
  const number = cause.seed.index + 1
  if (cause.kind === 'fail-fast') return { kind: 'fail-fast', number }
  const { status, words } = cause.failure
  return { kind: 'credentials-refused', call: cause.call, number, status, words }
}

const calls = { start: 'the start', check: 'a status check' }

export function describeStop(stop: BatchStop, show: Show): string {
  if (stop.kind === 'fail-fast') {
    return `Run ${stop.number} did not succeed, so no more runs are started (fail-fast).`
  }
  const words = inline(show(stop.words), maxWordsLength).replace(/[.:\s]+$/, '')
  const said = words === '' ? '' : ` (${words})`
  return `The service answered ${stop.status} to ${calls[stop.call]} of run ${stop.number}${said}, so no more runs are started.`
}

/** The line of the log at that moment. `running`: how many runs are in their slots. */
export function describeStopReason(
  reason: StopReason,
  cause: StopCause | undefined,
  running: number,
  show: Show,
): string {
  // One that is refused is not followed any more, though it may still be in its slot.
  const isLost = cause?.kind === 'credentials' && cause.isRunning
  const others = isLost ? running - 1 : running
  const followed =
    others > 0
      ? ` ${describeCount(others, 'run')} under way ${others === 1 ? 'is' : 'are'} followed to the end.`
      : ''
  if (cause) return describeStop(stopOf(cause), show) + followed
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
