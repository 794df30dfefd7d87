/** Composes the failure of a step if the result or the outputs are missing. */
import type { Obstacle } from '../download/download.ts'
import { capitalised, checkCredentials, type Remedies, takeUp } from './advice.ts'
import { because, type Failure } from './failure.ts'
import { diskFull } from './annotation.ts'

/** An output of a batch that names a file, and the reason why the file could not be written. */
export interface LostFile {
  output: string
  why: string
}

/** What is missing: the result of a successful run, or outputs. */
export type Loss =
  | { title: 'result-not-fetched'; why: string; obstacle?: Obstacle | undefined }
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
    case 'outputs-not-written':
      return {
        title,
        happened: `Not all outputs of this step could be written${because(loss.why, show)}.`,
        next: onceWritable(remedies),
      }
  }
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
