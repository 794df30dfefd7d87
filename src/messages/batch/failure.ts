/** The one annotation of a batch that fails its step, and the sentences that its summary shares. */
import { cut } from '../../cut.ts'
import { describeProblem, type Annotation } from '../annotation.ts'
import { headingOf, type Heading } from '../catalogue.ts'
import type { LostFile } from '../file-problem.ts'
import { nounFor } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import { batchHint, type BatchEnd, type BatchPlace } from './hint.ts'
import { allCategories, describeCounts } from './progress.ts'
import { describeOutcome, type ShownRun } from './runs.ts'
import { describeStop } from './stop.ts'
import type { BatchSurvey } from './survey.ts'

type Failing = Pick<BatchSurvey, 'failing' | 'causes' | 'unansweredStarts'>

// Together under the 4,096 characters that an annotation has room for.
const maxNameLength = 100
const maxCauseLength = 400
const maxAddressLength = 400

export function describeBatchFailure(
  end: BatchEnd,
  survey: Failing,
  place: BatchPlace,
  show: Show,
): Annotation {
  const { artifactUrl } = place
  const lines = [
    `Of ${end.counts.total}: ${describeEndCounts(end, survey)}.`,
    ...(end.stop ? [describeStop(end.stop, show)] : []),
    ...causeLines(survey, place, end.stop?.kind === 'credentials-refused'),
    ...(artifactUrl === undefined
      ? []
      : [`Artifact: ${inline(show(artifactUrl), maxAddressLength)}`]),
    `Next: ${batchHint(end, survey, place, show)}`,
  ]
  const name = inline(show(end.automation), maxNameLength)
  return { ...batchHeading(end, survey, name), message: lines.join('\n') }
}

/** How many of how many; `name` is fit to be shown. */
export function batchHeading(
  { counts, conclusion }: Pick<BatchEnd, 'counts' | 'conclusion'>,
  { failing }: Pick<BatchSurvey, 'failing'>,
  name: string,
): Heading {
  const { total } = counts
  const count = { subject: name, total: String(total), runs: nounFor(total, 'run') }
  const { failed, unknown, unfinished, notStarted, succeeded } = failing
  if (conclusion === 'cancelled') return headingOf('cancelled', { subject: name })
  if (failed > 0) return headingOf('batch-failed', { ...count, failed: String(failed) })
  if (unknown > 0) return headingOf('batch-unknown', { ...count, unknown: String(unknown) })
  if (unfinished > 0) {
    return headingOf('batch-unfinished', { ...count, open: String(unfinished) })
  }
  if (notStarted > 0) {
    const were = notStarted === 1 ? 'was' : 'were'
    return headingOf('batch-not-started', { ...count, waiting: String(notStarted), were })
  }
  return headingOf('batch-results-missing', { ...count, missing: String(succeeded) })
}

/** `186 succeeded, 12 failed (2 allowed by fail-on)`. */
export function describeEndCounts(
  { counts }: Pick<BatchEnd, 'counts'>,
  { failing }: Pick<BatchSurvey, 'failing'>,
): string {
  const unsuccessful = allCategories.filter((category) => category !== 'succeeded')
  const allowed = unsuccessful.reduce((sum, each) => sum + counts[each] - failing[each], 0)
  const note = allowed > 0 ? ` (${allowed} allowed by fail-on)` : ''
  return `${describeCounts(counts, allCategories)}${note}`
}

/** `isRefusalKnown`: a line before has said why a start was not accepted. */
function causeLines(
  { failing, causes }: Failing,
  { resultsFile }: BatchPlace,
  isRefusalKnown: boolean,
): string[] {
  const { failed, unknown, unfinished, succeeded } = failing
  const begun = causes.filter(({ category }) => category !== 'notStarted')
  const more = failed + unknown + unfinished + succeeded - begun.length
  const shown = (isRefusalKnown ? begun : causes).map(causeOf)
  const where = resultsFile === undefined ? 'the log' : 'results-file'
  return more > 0 ? [...shown, `… and ${more} more; see ${where}.`] : shown
}

function causeOf(run: ShownRun): string {
  const id = run.executionId === undefined ? '' : ` (execution ${run.executionId})`
  return `${cut(describeOutcome(run), maxCauseLength - id.length)}${id}`
}

/** Why the step fails: for its runs, or for files that the next steps count on. */
export interface BatchFailure {
  annotation: Annotation
  isOfFiles: boolean
}

/** Of a batch that fails for no run: the next steps count on these files. */
export function describeLostFiles(
  { automation, isOnRecord }: Pick<BatchEnd, 'automation' | 'isOnRecord'>,
  lost: readonly LostFile[],
): Annotation {
  const next = isOnRecord
    ? 'When the files can be written, re-run this job.'
    : 'A re-run of this job starts all runs again.'
  return describeProblem({
    ...headingOf('copy-not-written', { subject: automation }),
    message: lost.map(({ input, why }) => `${input} could not be written: ${why}.`).join('\n'),
    hint: `What the runs left is in the artifact, if there is one. ${next}`,
  })
}
