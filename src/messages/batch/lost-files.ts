/** Files of a batch that next steps count on, and that could not be written. */
import { describeProblem, type Annotation } from '../annotation.ts'
import { headingOf } from '../entries.ts'

/** A file of the batch that was asked for, or is an output, and could not be written. */
export interface LostFile {
  input: string
  why: string
}

/** Why the step fails: for its runs, or for files that the next steps count on. */
export interface BatchFailure {
  annotation: Annotation
  isOfFiles: boolean
}

/** Of a batch that no run lets fail: the next steps count on these files. */
export function describeLostFiles(automation: string, lost: readonly LostFile[]): Annotation {
  return describeProblem({
    ...headingOf('copy-not-written', { subject: automation }),
    message: lost.map(({ input, why }) => `${input} could not be written: ${why}.`).join('\n'),
    hint: 'What the runs left is in the artifact, if there is one. When the files can be written, run this job again.',
  })
}
