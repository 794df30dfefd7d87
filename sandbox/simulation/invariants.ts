/** What must never happen. Every count of violations must be zero. */
export const invariants = [
  'starts accepted twice',
  'starts given up within 2 s of a cancellation',
  'starts sent again after one that may have been accepted',
  'executions started while another one ran',
  'executions started without a retry being due',
  'executions started although an earlier one may run',
  'executions of another step taken over',
  'ends reported a second time',
  'two at once although the cache works',
  'runs without a known id',
  'finished runs that could not be fetched',
  'conclusions that contradict the service',
  'steps that pass although they failed',
  'steps that fail without a reason',
  'steps that pass with an invalid result',
  'copies overwritten by an invalid result',
  'results copied without a success',
  'steps that pass without a copy that was asked for',
  'commit statuses that contradict the conclusion',
  'commit statuses out of order',
  'checks closer than the poll interval',
  'failures without exactly one annotation',
  'secrets shown',
  'untrusted workflow commands in the log',
  'files that differ from the stored ones',
  'requests that are not as documented',
  'steps that never end',
  'steps that end late',
  'steps signalled twice that do not report in time',
  'results lost in a short outage',
  'unknown encodings without a warning',
  'batches whose accounts do not add up',
  'batches whose results are not in the order of the seeds',
  'conclusions of batches that contradict their runs',
  'more than 5 checks of a batch a second',
  'requests before a Retry-After is over',
  'starts after a cancellation or refused credentials',
  'more runs of a batch at once than allowed',
  'more than 8 downloads at once',
  'more runs doubled by a re-run than its warnings say',
  'runs that succeeded started again',
  'promised executions that the newest record lacks',
  'executions of a batch that are not reported',
  'files outside of the folder',
  'timers left running',
  'bugs',
] as const

export type Invariant = (typeof invariants)[number]

export interface Violation {
  invariant: Invariant
  why: string
}

/** Returns the violation if the invariant does not hold. */
export function check(holds: boolean, invariant: Invariant, why: string): Violation[] {
  return holds ? [] : [{ invariant, why }]
}
