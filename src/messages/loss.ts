/** Composes the failure of a step if the run succeeded, but files are missing. */
import type { Obstacle } from '../download/download.ts'
import { capitalised, checkCredentials, type Remedies, takeUp } from './advice.ts'
import { because, type Failure } from './failure.ts'
import { diskFull } from './annotation.ts'
import type { Show } from './text/secrets.ts'

/** A file that an input or output names, but that could not be written. */
export interface LostFile {
  /** The name of the input or output that names the file. */
  input: string
  why: string
}

/** A requested copy of the result or the log that was not written. */
export interface MissingCopy extends LostFile {
  input: 'save-result-as' | 'save-log-as'
  /** The path of the copy, from the input. */
  target: string
  what: 'result' | 'log'
  kind: 'not-written' | 'not-fetched' | 'not-kept'
  /** What prevented the download, for example a full disk. */
  obstacle?: Obstacle | undefined
}

/** What is missing after a successful run: the result, copies or outputs. */
export type Loss =
  | { title: 'result-not-fetched'; why: string; obstacle?: Obstacle | undefined }
  | { title: 'copy-not-written' | 'copy-not-kept'; copies: readonly MissingCopy[] }
  | { title: 'outputs-not-written'; why: string }

export function describeLoss(loss: Loss, remedies: Remedies): Failure {
  const { title } = loss
  const { show } = remedies
  switch (title) {
    case 'result-not-fetched':
      return {
        title,
        happened:
          loss.obstacle === 'disk-full'
            ? `${diskFull.why} The run succeeded, but its result could not be written${because(loss.why, show)}.`
            : `The run succeeded and its result was kept, but the result could not be downloaded${because(loss.why, show)}.`,
        next: fetchAgain(loss.obstacle, remedies),
      }
    case 'copy-not-written':
    case 'copy-not-kept':
      return {
        title,
        happened: loss.copies.map((copy) => describeMissingCopy(copy, show)).join(' '),
        next: makeUpFor(loss.copies, remedies),
      }
    case 'outputs-not-written':
      return {
        title,
        happened: `Not all outputs of this step could be written${because(loss.why, show)}.`,
        next: onceWritable(remedies),
      }
  }
}

function describeMissingCopy({ input, what, kind, why }: MissingCopy, show: Show): string {
  return kind === 'not-kept'
    ? `The automation keeps no ${what}, so ${input} has nothing to copy.`
    : `The copy for ${input} could not be written${because(why, show)}.`
}

function makeUpFor(copies: readonly MissingCopy[], remedies: Remedies): string {
  const notKept = copies.filter(({ kind }) => kind === 'not-kept').map(({ what }) => what)
  // A re-run would take over the same run. The service did not keep the file of this run.
  if (notKept.length > 0) {
    return `Set the automation to keep its ${notKept.join(' and ')} (in the service's dashboard), then start a new run.`
  }
  return copies.some(({ kind }) => kind === 'not-written')
    ? onceWritable(remedies)
    : fetchAgain(copies[0]?.obstacle, remedies)
}

function fetchAgain(obstacle: Obstacle | undefined, remedies: Remedies): string {
  switch (obstacle) {
    case 'credentials':
      return checkCredentials(remedies)
    case 'disk':
      return onceWritable(remedies)
    case 'disk-full':
      return `${diskFull.cure}; then ${takeUp(remedies)}`
    case undefined:
      return capitalised(takeUp(remedies))
  }
}

function onceWritable(remedies: Remedies): string {
  return `When the file can be written, ${takeUp(remedies)}`
}
