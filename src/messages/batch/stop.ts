/** Why no more runs of a batch are started. */
import type { RunStop, StopCause } from '../../execution/batch/batch.ts'
import { describeCount } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'

const maxWordsLength = 300

/** What is said of a run that was not started for it. */
export const stopWords: Readonly<Record<StopCause['kind'], string>> = {
  cancelled: 'the step was cancelled before its turn',
  'timed-out': 'the input timeout ran out before its turn',
  credentials: 'the service refused the credentials',
  'fail-fast': 'an earlier run failed (fail-fast)',
  'internal-error': 'the step itself went wrong before its turn',
}

const calls = { start: 'the start', check: 'a status check' }

export function describeStop(cause: RunStop, show: Show): string {
  const number = cause.seed.index + 1
  if (cause.kind === 'fail-fast') {
    return `Run ${number} did not succeed, so no more runs are started (fail-fast).`
  }
  const { status, words } = cause.failure
  const shown = inline(show(words), maxWordsLength).replace(/[.:\s]+$/, '')
  const said = shown === '' ? '' : ` (${shown})`
  return `The service answered ${status} to ${calls[cause.call]} of run ${number}${said}, so no more runs are started.`
}

/** The line of the log at that moment. `running`: how many runs are in their slots. */
export function describeStopNow(cause: StopCause, running: number, show: Show): string {
  switch (cause.kind) {
    case 'cancelled':
      return 'The step was cancelled. No more runs are started.'
    case 'timed-out':
      return 'The input timeout ran out. No more runs are started.'
    case 'internal-error':
      return 'No more runs are started.'
    case 'fail-fast':
    case 'credentials':
      return describeStop(cause, show) + describeOthers(cause, running)
  }
}

function describeOthers(cause: RunStop, running: number): string {
  // One that is refused is not followed any more, though it may still be in its slot.
  const isLost = cause.kind === 'credentials' && cause.isRunning
  const others = isLost ? running - 1 : running
  if (others < 1) return ''
  const are = others === 1 ? 'is' : 'are'
  return ` ${describeCount(others, 'run')} under way ${are} followed to the end.`
}
