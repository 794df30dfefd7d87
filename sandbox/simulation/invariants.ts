/** The names of all violations. Every count of violations must be zero. */
export const invariants = [
  'starts accepted twice',
  'starts given up less than 3.5 s after a cancellation',
  'starts sent again after a start that may have been accepted',
  'starts sent again for too long',
  'starts given up before their time is over',
  'starts sent after a cancellation',
  'executions started while another ran',
  'executions started although no retry was due',
  'executions started while an earlier one may run',
  'executions taken over from another step',
  'ends reported a second time',
  'parallel executions although the cache works',
  'first lines of re-runs that contradict the service',
  'runs whose id is not reported',
  'ids that are not shown at once',
  'execution ids that the service did not give to a start',
  'finished runs that could not be fetched',
  'conclusions that contradict the service',
  'checks after a final refusal',
  'steps that pass although they must fail',
  'steps that fail although they must pass',
  'steps that pass with an invalid result',
  'commit statuses that contradict the conclusion',
  'more than one commit status of a step',
  'checks closer together than the poll interval',
  'failures without exactly one annotation',
  'secrets shown',
  'untrusted workflow commands in the log',
  'files that differ from the stored files',
  'requests that differ from the documentation',
  'steps that never end',
  'steps that end late',
  'last saves given up too early',
  'more than a minute without a line of the log',
  'steps that get two signals and do not report in time',
  'results lost in a short outage',
  'results lost after fewer than five failures',
  'unknown encodings without a line',
  'batches with wrong counts or missing files',
  'batches whose results are not in the order of the seeds',
  'conclusions of batches that contradict their runs',
  'more than 5 checks per second in a batch',
  'requests before a Retry-After has passed',
  'one execution for runs with different seeds',
  'batches that wait although they start nothing more',
  'starts less than 1 s after one that was not accepted',
  'starts beside one that alone is sent again',
  'starts after a cancellation or refused credentials',
  'more runs of a batch at once than max-parallel allows',
  'more than 8 downloads at once',
  'more runs started twice than a re-run warns of',
  'successful runs started again',
  'failed runs of a batch reported a second time',
  'promised executions missing in the newest record',
  'open ends without a record',
  'records of cancelled steps that say reported',
  'records of first attempts that no re-run reads',
  'executions of a batch that are not reported',
  'files outside of the allowed folders',
  'timers still running after the step',
  'bugs',
] as const

export type Invariant = (typeof invariants)[number]

export interface Violation {
  invariant: Invariant
  why: string
}

/** Returns a list with the violation, or an empty list if `holds` is true. */
export function check(holds: boolean, invariant: Invariant, why: string): Violation[] {
  return holds ? [] : [{ invariant, why }]
}

/** Returns a list with one violation that names what was found, or an empty list. */
export function checkNone(invariant: Invariant, found: readonly string[]): Violation[] {
  return check(found.length === 0, invariant, found.join(', '))
}
