/** Says in one line why a run did not succeed, or why the result of a successful run is missing. */
import { messageOf } from '../errors.ts'
import { conclusionOf, lostResultOf, type Collected, type End } from '../execution/report.ts'
import { wordsOf } from './advice.ts'
import { cancelledInFlight, happenedIn, notValidatedWords } from './failure.ts'
import { causeSentence } from './cause.ts'
import { showWords, type Show } from './text/secrets.ts'

/** Returns the redacted cause, or undefined if there is nothing to say. */
export function describeCause(end: End, show: Show): string | undefined {
  switch (end.kind) {
    case 'refused':
    case 'not-sent':
      return wordsOf(end.failure, show)
    case 'unclear':
      return end.byCancel ? cancelledInFlight : showWords(messageOf(end.failure), show)
    case 'lost':
      return showWords(messageOf(end.failure), show)
    case 'timed-out':
    case 'cancelled':
      return end.seen.failure && showWords(messageOf(end.seen.failure), show)
    case 'collected':
      return causeOfCollected(end, show)
  }
}

function causeOfCollected(end: Collected, show: Show): string | undefined {
  const { validation, cause } = end
  if (validation.kind === 'invalid') return validation.problems.lines[0]
  if (validation.kind === 'not-made') return notValidatedWords(validation.why)
  const happened = happenedIn(conclusionOf(end))
  if (happened !== undefined) {
    return cause ? causeSentence(cause, happened) : happened
  }
  const lost = lostResultOf(end)
  return lost && showWords(`the result could not be fetched: ${lost.why}`, show)
}
