/** What people read of a step that fails for what is missing after a run that succeeded. */
import type { Obstacle } from '../download/download.ts'
import { capitalised, checkCredentials, type Remedies, takeUp } from './advice.ts'
import { because, type Failure } from './failure.ts'
import { diskFull, type LostFile } from './file-problem.ts'
import type { Show } from './text/secrets.ts'

/** Why a copy that an input asks for was not written. */
export interface MissingCopy extends LostFile {
  input: 'save-result-as' | 'save-log-as'
  /** The path that the input names. */
  target: string
  /** The file to copy. */
  what: 'result' | 'log'
  kind: 'not-written' | 'not-fetched' | 'not-kept'
  /** What is in the way of fetching the file. */
  obstacle?: Obstacle | undefined
}

/** What a next step counts on and that could not be had or written, after a run that is over. */
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
            : `The run succeeded and its result was kept, but it could not be downloaded${because(loss.why, show)}.`,
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
        happened: `The next steps do not get all outputs of this one${because(loss.why, show)}.`,
        next: onceWritable(remedies),
      }
  }
}

function describeMissingCopy({ input, what, kind, why }: MissingCopy, show: Show): string {
  return kind === 'not-kept'
    ? `The automation keeps no ${what} for ${input}.`
    : `The copy for ${input} could not be written${because(why, show)}.`
}

function makeUpFor(copies: readonly MissingCopy[], remedies: Remedies): string {
  const notKept = copies.filter(({ kind }) => kind === 'not-kept').map(({ what }) => what)
  // A re-run that takes this run over finds no file either.
  if (notKept.length > 0) {
    return `Let the automation keep its ${notKept.join(' and ')} (in the service's dashboard), then start a new run.`
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
    case 'gone':
      return 'It comes back only with a new workflow run, which starts a new run.'
    case undefined:
      return capitalised(takeUp(remedies))
  }
}

function onceWritable(remedies: Remedies): string {
  return `When the file can be written, ${takeUp(remedies)}`
}
