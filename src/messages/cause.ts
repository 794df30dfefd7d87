/** Says why a run did not succeed: the line of its log that says why, or what is known otherwise. */
import type { Cause } from '../cause/find-cause.ts'
import type { ServiceOutcome } from '../execution/conclusion.ts'
import { lostResultOf, type Collected, type End } from '../execution/report.ts'
import { messageOf } from '../errors.ts'
import { wordsOf } from './advice.ts'

/** Returns in one line why an execution failed, or '' if its log does not say why. */
export function causeWords(cause: Cause | undefined): string {
  if (!cause) return ''
  return cause.isLastLine ? `its log ends with: ${causeLine(cause)}` : causeLine(cause)
}

const happened = {
  error: 'The automation raised an error.',
  'container-error': 'The container died before the automation answered.',
  stopped: 'Someone stopped the run from the dashboard.',
}

/** Returns why a run failed. The most informative line comes first. */
export function whyFailed(
  outcome: Exclude<ServiceOutcome, 'success'>,
  cause: Cause | undefined,
): [string, ...string[]] {
  if (!cause) return [happened[outcome]]
  return cause.isLastLine
    ? [`${happened[outcome]} Its log ends with: ${causeLine(cause)}`]
    : [causeLine(cause), happened[outcome]]
}

/** Returns the cause with its file and line. */
function causeLine({ text, frame }: Cause): string {
  return frame === undefined ? text : `${text} (${frame.file}, line ${frame.line})`
}

export function notValidated(why: string): string {
  return `the run ended well, but its result was not validated: ${why}`
}

/** Why a cancelled step does not know whether the service accepted the start request. */
export const cancelledInFlight =
  'the step was cancelled while it waited for the answer to its start'

/**
 * Returns in one line why a run did not succeed, or why the result of a successful run is missing.
 * Undefined if there is nothing to say.
 */
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
  const { validation, outcome, cause } = end
  if (validation.kind === 'invalid') return validation.problems.lines[0]
  if (validation.kind === 'not-made') return notValidated(validation.why)
  if (outcome !== 'success') return whyFailed(outcome, cause)[0]
  const lost = lostResultOf(end)
  return lost && `the result could not be fetched: ${lost.why}`
}
