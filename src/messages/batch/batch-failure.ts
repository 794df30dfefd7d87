/** Composes the notice of a batch whose step fails. One notice covers all runs. */
import type { BatchReport, BatchRow } from '../../execution/batch/batch-types.ts'
import type { Category } from '../../execution/conclusion.ts'
import { waitAction } from '../../version.ts'
import { noticeOf, onceWritable, type Notice } from '../notice.ts'
import { headingOf, type Heading, type TitleName } from '../catalogue.ts'
import type { LostFile } from '../loss.ts'
import { describeCount } from '../quantities.ts'
import { countAllowedFailures, type BatchEnd } from './end.ts'
import { describeCounts } from './batch-progress.ts'
import { categoryOf, describeOutcome } from './runs.ts'

/** The maximum number of runs that the notice describes. */
const maxFailures = 5

/** The title has the counts. The first line is the first failure. */
export function describeBatchFailure(end: BatchEnd): Notice {
  const failures = failureLines(end)
  const why =
    failures.length > 0 ? failures : ['The step was cancelled before it published everything.']
  return { ...headingFor(end), why, facts: [], advice: adviceLines(end) }
}

/** Returns the first failure in one line, also if `fail-on` allows it. Empty if there is none. */
export function batchCause(end: BatchEnd): string {
  return failureLines(end)[0] ?? ''
}

/** Returns a line for each of the first failures. Runs with the same end and cause have one line. */
function failureLines(end: BatchEnd): string[] {
  const groups = Map.groupBy(failuresIn(end), ({ facts: { conclusion, cause } }) =>
    JSON.stringify([conclusion, cause]),
  )
  return [...groups.values()].slice(0, maxFailures).flatMap(([first, ...others]) => {
    if (!first) return []
    const more = others.length > 0 ? `, and ${describeCount(others.length, 'other run')} too` : ''
    return outcomeAndId(first) + more
  })
}

/** Returns the advice of the first failure, and what a re-run of the job does. */
export function adviceLines(end: BatchEnd): string[] {
  const advice = failuresIn(end)[0]?.advice
  const areNamed = end.rows.some(({ label }) => label !== undefined)
  const name = areNamed ? '' : ' The input label gives each run a name.'
  return [...(advice === undefined ? [] : [`Next: ${advice}${name}`]), describeRerunOf(end)]
}

/**
 * Returns the runs that fail the step, or all runs that did not succeed if none fails the step. The
 * runs that were not started because the batch had stopped come last.
 */
function failuresIn({ rows }: BatchEnd): BatchRow[] {
  const failing = rows.filter(({ failsStep }) => failsStep)
  const wrong = failing.length > 0 ? failing : rows.filter((row) => categoryOf(row) !== 'succeeded')
  const isSkipped = ({ facts, advice }: BatchRow) =>
    facts.conclusion === 'not-started' && advice === undefined
  return [...wrong.filter((run) => !isSkipped(run)), ...wrong.filter(isSkipped)]
}

const mayRepeat =
  'A re-run of this job may not find the record of these runs, and may start them all again.'

const slotsAreTaken =
  "Runs of an earlier attempt keep their slots, also in a re-run. Stop them in the service's dashboard, or give the failed-seeds-file to a new workflow run."

function describeRerunOf(end: BatchEnd): string {
  const { counts, rows, isOnRecord, needsOtherCredentials } = end
  const areRuns = counts.succeeded + counts.unknown + counts.unfinished > 0
  if (areRuns && (!isOnRecord || needsOtherCredentials)) {
    return `${mayRepeat} Instead, ${waitAction} fetches a run by its execution id.`
  }
  const isStuck = rows.some((row) => row.isTakenOver && categoryOf(row) === 'unfinished')
  if (isStuck && counts.notStarted > 0) return slotsAreTaken
  const isUnclear = rows.some(
    (row) => categoryOf(row) === 'unknown' && row.facts.execution_id === null,
  )
  return isUnclear
    ? "A re-run of this job starts each run again whose start got no clear answer. Look for these runs in the service's dashboard first."
    : 'A re-run of this job keeps successful runs, takes over runs in progress and starts the rest.'
}

/** The titles by category. The first category with a run that fails the step gives the title. */
const titlesByCategory = [
  ['failed', 'batch-failed'],
  ['unknown', 'batch-unknown'],
  ['unfinished', 'batch-unfinished'],
  ['succeeded', 'batch-results-missing'],
  ['notStarted', 'batch-not-started'],
] as const satisfies [Category, TitleName][]

function headingFor(end: BatchEnd): Heading {
  const { automation: subject, counts, cancelled } = end
  if (cancelled) {
    return headingOf('batch-cancelled', { subject, counts: describeEndCounts(end) })
  }
  const failing = end.rows.filter(({ failsStep }) => failsStep)
  const ofCategory = (category: Category) => failing.filter((row) => categoryOf(row) === category)
  const [category, name] =
    titlesByCategory.find(([each]) => ofCategory(each).length > 0) ?? titlesByCategory[0]
  const allowed = countAllowedFailures(end)
  const others = [
    describeCounts({ ...counts, succeeded: 0, [category]: 0 }),
    allowed > 0 ? `${allowed} allowed by fail-on` : '',
  ].filter((words) => words !== '')
  return headingOf(name, {
    subject,
    count: String(ofCategory(category).length),
    runs: describeCount(counts.total, 'run'),
    others: others.length > 0 ? ` (${others.join(', ')})` : '',
  })
}

/** Counts the runs by category, such as `186 succeeded, 12 failed (2 allowed by fail-on)`. */
export function describeEndCounts(end: BatchReport): string {
  const allowed = countAllowedFailures(end)
  const note = allowed > 0 ? ` (${allowed} allowed by fail-on)` : ''
  return `${describeCounts(end.counts)}${note}`
}

function outcomeAndId(run: BatchRow): string {
  const { execution_id } = run.facts
  const id = execution_id === null ? '' : ` (execution ${execution_id})`
  return `${describeOutcome(run)}${id}`
}

/** Returns the notice of a batch that fails only because files of outputs are missing. */
export function describeLostFiles(
  { automation, isOnRecord }: Pick<BatchEnd, 'automation' | 'isOnRecord'>,
  lost: readonly LostFile[],
): Notice {
  const next = isOnRecord
    ? `${onceWritable(lost.map(({ why }) => why).join())} re-run this job.`
    : mayRepeat
  const why = lost.map(({ output, why }) => `${output} could not be written: ${why}.`)
  const advice = `If there is an artifact, it has the files of the runs. ${next}`
  return noticeOf(headingOf('outputs-not-written', { subject: automation }), why, advice)
}
