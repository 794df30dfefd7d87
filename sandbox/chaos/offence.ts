/** What must never happen: each of these is counted, and has to stay zero. */
export const zeros = [
  'starts accepted twice',
  'starts sent again after one that may have been accepted',
  'runs lost from sight',
  'runs that could not be fetched later',
  'verdicts that disagree with the service',
  'silent greens',
  'reds without a reason',
  'failures without exactly one annotation',
  'secrets in any output',
  'commands of strangers in the log',
  'files that differ from the stored ones',
  'requests that are not as documented',
  'steps that never end',
  'steps that end late',
  'good results lost in an outage',
  'calls that never come back',
  'unknown encodings that nobody is told of',
  'timers left running',
  'bugs',
] as const

export interface Offence {
  zero: (typeof zeros)[number]
  why: string
}

/** The offence, where there is one. */
export function unless(holds: boolean, zero: Offence['zero'], why: string): Offence[] {
  return holds ? [] : [{ zero, why }]
}
