/** The one annotation of a batch that fails its step. */
import { describeProblem, type Annotation } from '../annotation.ts'
import { headingOf, type Heading } from '../entries.ts'
import { cut } from '../../cut.ts'
import type { Show } from '../summary/html.ts'
import { inline } from '../text/untrusted-text.ts'
import { waitAction } from '../../version.ts'
import { describeCounts, describeStop, everyStanding, type BatchStop } from './progress.ts'
import { because, whatBecameOf, type BatchCounts, type ShownRun } from './shown-run.ts'
import type { BatchSurvey } from './survey.ts'

/** What the words for a batch's end are made from. */
export interface BatchEnd {
  automation: string
  counts: BatchCounts
  conclusion: 'success' | 'failure' | 'timed-out' | 'cancelled'
  /** Why no more runs were started, where that was. */
  stop: BatchStop | undefined
}

/** Where people find more. */
export interface BatchPlace {
  artifactUrl: string | undefined
  /** The path of the output `failed-seeds-file`. */
  failedSeedsFile: string | undefined
}

type Failing = Pick<BatchSurvey, 'failing' | 'causes'>

// Together under `longestMessage`.
const longestName = 100
const longestCause = 400
const longestAddress = 400
const longestPath = 300

export function describeBatchFailure(
  end: BatchEnd,
  survey: Failing,
  place: BatchPlace,
  show: Show,
): Annotation {
  const { artifactUrl } = place
  const lines = [
    ...batchFailureLines(end, survey, show),
    ...causeLines(survey),
    ...(artifactUrl === undefined
      ? []
      : [`Artifact: ${inline(show(artifactUrl), longestAddress)}`]),
    `Next: ${batchHint(end, survey, place, show)}`,
  ]
  const name = inline(show(end.automation), longestName)
  return { ...batchHeading(end, survey, name), message: lines.join('\n') }
}

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

/** How many of how many; `name` is fit to be shown. */
export function batchHeading(
  { counts, conclusion }: Pick<BatchEnd, 'counts' | 'conclusion'>,
  { failing }: Pick<BatchSurvey, 'failing'>,
  name: string,
): Heading {
  const count = { subject: name, total: String(counts.total) }
  const { failed, unknown, unfinished, notStarted, succeeded } = failing
  if (conclusion === 'cancelled') return headingOf('cancelled', { subject: name })
  if (failed > 0) return headingOf('batch-failed', { ...count, failed: String(failed) })
  if (unknown > 0) return headingOf('batch-unknown', { ...count, unknown: String(unknown) })
  if (unfinished > 0) return headingOf('batch-unfinished', { ...count, open: String(unfinished) })
  if (notStarted > 0)
    return headingOf('batch-not-started', { ...count, waiting: String(notStarted) })
  return headingOf('batch-results-missing', { ...count, missing: String(succeeded) })
}

/** What the runs came to, and why no more were started. */
export function batchFailureLines(
  { counts, stop }: BatchEnd,
  { failing }: Pick<BatchSurvey, 'failing'>,
  show: Show,
): string[] {
  const unsuccessful = everyStanding.filter((standing) => standing !== 'succeeded')
  const allowed = unsuccessful.reduce((sum, each) => sum + counts[each] - failing[each], 0)
  const note = allowed > 0 ? ` (${allowed} allowed by fail-on)` : ''
  return [
    `Of ${counts.total}: ${describeCounts(counts, everyStanding)}${note}.`,
    ...(stop ? [describeStop(stop, show)] : []),
  ]
}

function causeLines({ failing, causes }: Failing): string[] {
  const { failed, unknown, unfinished, succeeded } = failing
  const more = failed + unknown + unfinished + succeeded - causes.length
  const shown = causes.map((run) => cut(causeOf(run), longestCause))
  return more > 0 ? [...shown, `… and ${more} more, which results-file tells of.`] : shown
}

function causeOf(run: ShownRun): string {
  const id = run.executionId === undefined ? '' : ` (execution ${run.executionId})`
  const words = whatBecameOf(run)
  return `${cut(`${words}${because(run)}`, longestCause - id.length)}${id}`
}

/** What to do next. */
export function batchHint(
  { conclusion, stop, counts }: BatchEnd,
  { failing }: Pick<BatchSurvey, 'failing'>,
  { artifactUrl, failedSeedsFile }: BatchPlace,
  show: Show,
): string {
  const again =
    'run this job again: it keeps what succeeded, takes over what still runs and starts the rest'
  if (conclusion === 'cancelled') {
    return `When you want the rest, ${again}. Or fetch each with ${waitAction} and its execution id (results-file).`
  }
  if (stop?.kind === 'credentials-refused') {
    return `Check api-token, api-key, authorization-scheme, project and automation, then ${again}.`
  }
  if (counts.failed > 0 || counts.notStarted > 0) {
    const file = artifactUrl === undefined ? failedSeedsFile : 'failed-seeds.jsonl in the artifact'
    const seeds =
      file === undefined
        ? ''
        : ` Or start these seeds alone: ${inline(show(file), longestPath)} is the seeds-file for them.`
    return `Correct what the causes tell, then ${again}.${seeds}`
  }
  if (failing.unknown > 0) {
    return "Look for new runs in the service's dashboard, or at the receiver of the webhook, before you start these seeds again."
  }
  if (failing.unfinished === 0) {
    return 'Run this job again: it fetches the missing results, and starts none of these runs anew.'
  }
  return `Raise the input timeout, or ${again}.`
}
