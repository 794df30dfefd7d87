/** Says in one line why a run did not succeed, or why the result of a successful run is missing. */
import { messageOf } from '../errors.ts'
import { conclusionOf, lostResultOf, type Collected, type End } from '../execution/report.ts'
import { wordsOf } from './advice.ts'
import { causeSentence } from './cause.ts'
import { cancelledInFlight, happenedIn, notValidatedWords } from './failure.ts'

/** Returns the cause, or undefined if there is nothing to say. */
export function describeCause(end: End): string | undefined {
  switch (end.kind) {
    case 'refused':
    case 'not-sent':
      return wordsOf(end.failure)
    case 'unclear':
      return end.byCancel ? cancelledInFlight : messageOf(end.failure)
    case 'lost':
      return end.failure.message
    case 'timed-out':
    case 'cancelled':
      return end.seen.failure?.message
    case 'collected':
      return causeOfCollected(end)
  }
}

function causeOfCollected(end: Collected): string | undefined {
  const { validation, cause } = end
  if (validation.kind === 'invalid') return validation.problems.lines[0]
  if (validation.kind === 'not-made') return notValidatedWords(validation.why)
  const happened = happenedIn(conclusionOf(end))
  if (happened !== undefined) return cause ? causeSentence(cause, happened) : happened
  const lost = lostResultOf(end)
  return lost && `the result could not be fetched: ${lost.why}`
}
