/** Says why a batch starts no more runs. */
import type { RunStop, StopCause } from '../../execution/batch/batch.ts'
import type { Show } from '../text/secrets.ts'
import { inline, unpunctuated } from '../text/untrusted-text.ts'

const maxWordsLength = 300

/** The reason why a run was not started, for each reason why the batch stopped starting runs. */
export const stopWords: Readonly<Record<StopCause['kind'], string>> = {
  cancelled: 'the step was cancelled',
  'timed-out': 'the input timeout ran out',
  credentials: 'the service refused the credentials',
  'fail-fast': 'an earlier run failed (fail-fast)',
  'internal-error': 'this action had an internal error',
}

const calls = { start: 'the start', check: 'a status check' }

export function describeStop(cause: RunStop, show: Show): string {
  const number = cause.seed.index + 1
  if (cause.kind === 'fail-fast') {
    return `Run ${number} did not succeed, so no more runs are started (fail-fast).`
  }
  const { status, words } = cause.failure
  const shown = unpunctuated(inline(show(words), maxWordsLength))
  const said = shown === '' ? '' : ` (${shown})`
  return `The service answered ${status} to ${calls[cause.call]} of run ${number}${said}, so no more runs are started.`
}

/** Returns the log line that is printed when the batch stops starting runs. */
export function describeStopNow(cause: StopCause, show: Show): string {
  return cause.kind === 'fail-fast' || cause.kind === 'credentials'
    ? `${describeStop(cause, show)} Runs in progress are followed to their end.`
    : `No more runs are started: ${stopWords[cause.kind]}.`
}
