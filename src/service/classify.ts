/** Decides whether a request that must not happen twice was accepted, and whether it is sent again. */
import {
  AnswerError,
  asksToWait,
  NetworkError,
  NotSentError,
  refusesCredentials,
} from './service-errors.ts'

/** What an answer to a start proves. `again` means that the service may accept the start later. */
export type StartProof = 'accepted' | 'again' | 'refused' | 'unclear'

/** Each row is one kind of answer. The answer has a usable execution id, or it has none. */
const table = {
  /** A 5xx may come from a proxy behind which the start was accepted. The checks show the truth. */
  ambiguous: { withoutId: 'unclear', withId: 'accepted' },
  /** The id may belong to another run, for example in a message that the service is busy with it. */
  unavailable: { withoutId: 'unclear', withId: 'unclear' },
  wait: { withoutId: 'again', withId: 'unclear' },
  /** A service under load may refuse credentials that it has accepted before. */
  provenCredentials: { withoutId: 'again', withId: 'refused' },
  refusal: { withoutId: 'refused', withId: 'refused' },
} satisfies Record<string, { withoutId: StartProof; withId: StartProof }>

/**
 * Returns what an answer to a start proves, other than a 2xx with a usable id. Source:
 * docs/contributing/service.md, "Sending again".
 */
export function judgeAnswer(answer: AnswerError): StartProof {
  const row = table[kindOf(answer)]
  return answer.executionId === undefined ? row.withoutId : row.withId
}

function kindOf(answer: AnswerError): keyof typeof table {
  const { status } = answer
  if (asksToWait(answer)) return 'wait'
  if (status === 503) return 'unavailable'
  if (refusesCredentials(answer) && answer.isProven) return 'provenCredentials'
  const isFinal = status >= 400 && status < 500 && status !== 408
  // The redirects 302 and 303 may follow an accepted request.
  return isFinal || [301, 307, 308].includes(status) ? 'refusal' : 'ambiguous'
}

/**
 * Returns what a failed try proves. `not-sent` means that the request did not reach the service, and
 * that another try would not reach it either.
 */
export function classify(failure: unknown): Exclude<StartProof, 'accepted'> | 'not-sent' {
  if (failure instanceof NotSentError) return 'not-sent'
  if (failure instanceof NetworkError) {
    if (failure.mayHaveArrived) return 'unclear'
    return failure.isFinal ? 'not-sent' : 'again'
  }
  const proof = failure instanceof AnswerError ? judgeAnswer(failure) : 'unclear'
  // The client returns an accepted start as a value, so it is never a failed try.
  return proof === 'accepted' ? 'unclear' : proof
}
