/** Composes the annotation of a batch whose step fails. One annotation covers all runs. */
import type { Category } from '../../execution/conclusion.ts'
import { cut } from '../../cut.ts'
import { capitalised } from '../advice.ts'
import { describeProblem, type Annotation } from '../annotation.ts'
import { headingOf, type Heading, type TitleName } from '../catalogue.ts'
import type { LostFile } from '../loss.ts'
import { describeCount } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import { countAllowedFailures, type BatchEnd } from './end.ts'
import { batchHint } from './hint.ts'
import { describeCounts } from './progress.ts'
import { describeOutcome, type ShownRun } from './runs.ts'
import { describeStop, stopWords } from './stop.ts'

const maxCauses = 5
// These limits keep the annotation below the runner's limit of 4,096 characters.
const maxNameLength = 100
const maxOutcomeLength = 400
const maxAddressLength = 400

export function describeBatchFailure(end: BatchEnd, show: Show): Annotation {
  const { artifact } = end
  const lines = [
    ...whyLines(end, show),
    ...(artifact ? [`Artifact: ${inline(show(artifact.url), maxAddressLength)}`] : []),
    `Next: ${batchHint(end, show)}`,
  ]
  const name = inline(show(end.automation), maxNameLength)
  return { ...headingFor(end, name), message: lines.join('\n') }
}

/** Returns what went wrong in one line, also if `fail-on` allows it. Empty if all runs succeeded. */
export function batchCause(end: BatchEnd, show: Show): string {
  return whyLines(end, show)[0] ?? ''
}

/**
 * Returns why the batch did not succeed. The title of the annotation counts the runs that fail the
 * step, so a line counts the runs only if there are others. The log does not show the title, so the
 * first line must say what went wrong.
 */
function whyLines(end: BatchEnd, show: Show): string[] {
  const { stoppedBy, conclusion } = end
  const counts = describeEndCounts(end)
  const stop = stoppedBy ? [describeStop(stoppedBy, show)] : []
  const causes = causeLines(end)
  if (conclusion === 'cancelled') return [`The step was cancelled: ${counts}.`, ...stop, ...causes]
  const late = conclusion === 'timed-out' ? [`${capitalised(stopWords[conclusion])}.`] : []
  const { category } = titleFor(end)
  const isSaid = (run: ShownRun) => run.category === category && run.failsStep
  const others = end.runs.some((run) => run.category !== 'succeeded' && !isSaid(run))
  const counted = others ? [`In all: ${counts}.`] : []
  // The failure that stopped the batch says more than the stop.
  const inOrder = stoppedBy?.kind === 'fail-fast' ? [...causes, ...stop] : [...stop, ...causes]
  return [...inOrder, ...late, ...counted]
}

/** The titles by category. The first category with a run that fails the step gives the title. */
const titlesByCategory = [
  ['failed', 'batch-failed'],
  ['unknown', 'batch-unknown'],
  ['unfinished', 'batch-unfinished'],
  ['notStarted', 'batch-not-started'],
  ['succeeded', 'batch-results-missing'],
] as const satisfies [Category, TitleName][]

/** Returns the title, and the category and number of the runs that it counts. */
function titleFor({ runs }: Pick<BatchEnd, 'runs'>) {
  const failing = Map.groupBy(
    runs.filter(({ failsStep }) => failsStep),
    ({ category }) => category,
  )
  const [category, name] =
    titlesByCategory.find(([category]) => failing.has(category)) ?? titlesByCategory[0]
  return { category, name, count: failing.get(category)?.length ?? 0 }
}

function headingFor(end: BatchEnd, subject: string): Heading {
  if (end.conclusion === 'cancelled') return headingOf('cancelled', { subject })
  const { name, count } = titleFor(end)
  const runs = describeCount(end.counts.total, 'run')
  return headingOf(name, { subject, count: String(count), runs })
}

/** Counts the runs by category, such as `186 succeeded, 12 failed (2 allowed by fail-on)`. */
export function describeEndCounts(end: Pick<BatchEnd, 'counts' | 'runs'>): string {
  const allowed = countAllowedFailures(end)
  const note = allowed > 0 ? ` (${allowed} allowed by fail-on)` : ''
  return `${describeCounts(end.counts)}${note}`
}

/**
 * Describes the first runs that fail the step, one per line. The last line counts the others. If no
 * run fails the step, describes the runs that `fail-on` allows.
 */
function causeLines({ runs, stoppedBy, resultsFile }: BatchEnd): string[] {
  // Runs that were not started share one reason. Another line of the annotation has this reason.
  const isShared = ({ category, cause, stopReason }: ShownRun) =>
    category === 'notStarted' &&
    (stoppedBy?.kind === 'credentials' || (stopReason && cause === stopWords[stopReason]))
  const isAny = runs.some(({ failsStep }) => failsStep)
  const isWrong = (run: ShownRun) => (isAny ? run.failsStep : run.category !== 'succeeded')
  const failing = runs.filter((run) => isWrong(run) && !isShared(run))
  const more = failing.length - maxCauses
  const where = resultsFile === undefined ? 'the log' : 'results-file'
  return [
    ...failing.slice(0, maxCauses).map(outcomeAndId),
    ...(more > 0 ? [`… and ${more} more; see ${where}.`] : []),
  ]
}

function outcomeAndId(run: ShownRun): string {
  const id = run.executionId === undefined ? '' : ` (execution ${run.executionId})`
  return `${cut(describeOutcome(run), maxOutcomeLength - id.length)}${id}`
}

/** Returns the annotation of a batch that fails only because files of outputs are missing. */
export function describeLostFiles(
  { automation, isOnRecord }: Pick<BatchEnd, 'automation' | 'isOnRecord'>,
  lost: readonly LostFile[],
): Annotation {
  const next = isOnRecord
    ? 'When the files can be written, re-run this job.'
    : 'A re-run of this job may repeat all runs.'
  return describeProblem({
    ...headingOf('outputs-not-written', { subject: automation }),
    message: lost.map(({ output, why }) => `${output} could not be written: ${why}.`).join('\n'),
    hint: `If there is an artifact, it has the files of the runs. ${next}`,
  })
}
