/** The one annotation of a batch that fails its step. */
import type { Annotation } from '../annotation.ts'
import { cut } from '../../cut.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import { batchHint, type BatchPlace } from './hint.ts'
import { because, whatBecameOf, type ShownRun } from './shown-run.ts'
import type { BatchSurvey } from './survey.ts'
import { batchFailureLines, batchHeading, type BatchEnd } from './verdict.ts'

type Failing = Pick<BatchSurvey, 'failing' | 'causes'>

// Together under `longestMessage`.
const longestName = 100
const longestCause = 400
const longestAddress = 400

export function describeBatchFailure(
  end: BatchEnd,
  survey: Failing,
  place: BatchPlace,
  show: Show,
): Annotation {
  const { artifactUrl } = place
  const lines = [
    ...batchFailureLines(end, survey, show),
    ...causeLines(survey, end.stop?.kind === 'credentials-refused'),
    ...(artifactUrl === undefined
      ? []
      : [`Artifact: ${inline(show(artifactUrl), longestAddress)}`]),
    `Next: ${batchHint(end, survey, place, show)}`,
  ]
  const name = inline(show(end.automation), longestName)
  return { ...batchHeading(end, survey, name), message: lines.join('\n') }
}

/** `isRefusalTold`: a line before has told why a start was not accepted. */
function causeLines({ failing, causes }: Failing, isRefusalTold: boolean): string[] {
  const { failed, unknown, unfinished, succeeded } = failing
  const begun = causes.filter(({ category }) => category !== 'notStarted')
  const more = failed + unknown + unfinished + succeeded - begun.length
  const shown = (isRefusalTold ? begun : causes).map((run) => cut(causeOf(run), longestCause))
  return more > 0 ? [...shown, `… and ${more} more, which results-file tells of.`] : shown
}

function causeOf(run: ShownRun): string {
  const id = run.executionId === undefined ? '' : ` (execution ${run.executionId})`
  const words = whatBecameOf(run)
  return `${cut(`${words}${because(run)}`, longestCause - id.length)}${id}`
}
