/** The job summary of a batch: what failed and why first, then what else there is, folded. */
import { cut } from '../../cut.ts'
import type { FileText } from '../../download/file-text.ts'
import type { Annotation } from '../annotation.ts'
import { batchHeading, describeEndCounts } from '../batch/failure.ts'
import { batchHint, type BatchEnd, type BatchPlace } from '../batch/hint.ts'
import { describeBatchEnd } from '../batch/progress.ts'
import { durationOf, nameRun, type ShownRun } from '../batch/runs.ts'
import { describeStop } from '../batch/stop.ts'
import type { BatchSurvey } from '../batch/survey.ts'
import { helpAddress } from '../catalogue.ts'
import { describeElapsed, describeSize } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { renderGantt } from './batch-gantt.ts'
import { folded, joinBlocks, Page, preformatted, takeWithin } from './html.ts'
import { assemble } from './table.ts'

/** What the summary has beside the survey of the runs. */
export interface BatchSummary extends BatchEnd {
  startedOn: Date
  /** Milliseconds. */
  duration: number
  /** Whether the step fails. */
  failed: boolean
  artifact: { name: string; url: string } | undefined
  place: BatchPlace
  /** Why the step fails though no run does: files that the next steps count on. */
  lost: Annotation | undefined
  /** The page of the workflow run; absent where the summary stands on that page. */
  runUrl: string | undefined
  /** None where the input print-result is false. */
  results: readonly ResultHead[]
}

/** The beginning of what one run returned. */
export interface ResultHead extends FileText {
  run: Pick<ShownRun, 'number' | 'label'>
}

const maxNameLength = 100
const maxSentenceLength = 600
const maxFactLength = 200
const maxCauseLength = 300
// Bytes of HTML.
const maxTableSize = 75 * 1024
const maxHeadSize = 6 * 1024
const maxHeadLines = 10
const maxHeadLength = 1_000

/**
 * HTML blocks and one chart, under 400 KiB whatever the number of runs and whatever is in their
 * texts. Ends with a blank line, like the summary of one run.
 */
export function renderBatchSummary(batch: BatchSummary, survey: BatchSurvey, show: Show): string {
  const page = new Page(show)
  const { counts, place, results } = batch
  const isInFile = place.resultsFile !== undefined
  const unsuccessful = { total: counts.total - counts.succeeded, isInFile }
  const started = counts.total - counts.notStarted
  const successes = renderRuns(survey.succeeded, { total: counts.succeeded, isInFile }, page)
  return joinBlocks([
    `<h3>${heading(batch, survey, page)}</h3>`,
    ...renderFailure(batch, survey, page),
    ...renderRuns(survey.unsuccessful, unsuccessful, page),
    ...renderLinks(batch, page),
    ...renderGantt(survey.started, batch, survey.started.length >= started),
    ...(successes.length === 0 ? [] : [folded('The runs that succeeded', successes.join('\n'))]),
    ...renderResults(results, counts.succeeded, page),
  ])
}

function heading(batch: BatchSummary, survey: BatchSurvey, page: Page): string {
  const name = page.prose(batch.automation, maxNameLength)
  if (batch.lost) return `❌ ${page.prose(batch.lost.title, maxSentenceLength)}`
  if (batch.failed)
    return `${batch.conclusion === 'cancelled' ? '🚫' : '❌'} ${batchHeading(batch, survey, name).title}`
  const sign = batch.counts.succeeded === batch.counts.total ? '✅' : '⚠️'
  return `${sign} ${describeBatchEnd(batch.counts, name, batch.duration)}`
}

function renderFailure(batch: BatchSummary, survey: BatchSurvey, page: Page): string[] {
  if (!batch.failed) return []
  const { entry } = batch.lost ?? batchHeading(batch, survey, '')
  const help = page.link(helpAddress(entry), 'Help')
  if (batch.lost) {
    return [`<p>${page.prose(batch.lost.message, 4 * maxSentenceLength)}<br>${help}</p>`]
  }
  const lines = [
    ...(batch.stop ? [describeStop(batch.stop, page.show)] : []),
    `Next: ${batchHint(batch, survey, batch.place, page.show)}`,
  ].map((line) => page.prose(line, 2 * maxSentenceLength))
  const first = `${describeEndCounts(batch, survey)} after ${describeElapsed(batch.duration)}`
  return [`<p>${[`<strong>${first}</strong>`, ...lines, help].join('<br>')}</p>`]
}

/** The table of these runs, and how many of `total` it leaves out. */
function renderRuns(
  runs: readonly ShownRun[],
  { total, isInFile }: { total: number; isInFile: boolean },
  page: Page,
): string[] {
  if (runs.length === 0) return []
  const hasLabels = runs.some(({ label }) => label !== undefined)
  const hasCauses = runs.some(({ cause }) => cause !== undefined)
  const titles = [
    'Run',
    ...(hasLabels ? ['Label'] : []),
    'Conclusion',
    ...(hasCauses ? ['Cause'] : []),
    'Duration',
    'Execution',
  ]
  const heading = `<tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr>`
  const rows = runs.map((run) => row(run, { hasLabels, hasCauses }, page))
  const shown = takeWithin([heading, ...rows], maxTableSize)
  const leftOut = total - shown.length + 1
  const more = `<p>… and ${leftOut} more${isInFile ? ', in <code>results-file</code>' : ''}.</p>`
  return [assemble(shown), ...(leftOut > 0 ? [more] : [])]
}

function row(
  run: ShownRun,
  { hasLabels, hasCauses }: { hasLabels: boolean; hasCauses: boolean },
  page: Page,
): string {
  const duration = durationOf(run)
  const attempts = run.attempts > 1 ? `, ${run.attempts} executions` : ''
  return [
    '<tr>',
    `<td align="right">${run.number}</td>`,
    ...(hasLabels ? [textCell(run.label, maxNameLength, page)] : []),
    `<td>${run.conclusion}${attempts}</td>`,
    ...(hasCauses ? [textCell(run.cause, maxCauseLength, page)] : []),
    `<td align="right">${duration === undefined ? '' : describeElapsed(duration)}</td>`,
    textCell(run.executionId, maxNameLength, page),
    '</tr>',
  ].join('')
}

function textCell(value: string | undefined, limit: number, page: Page): string {
  return `<td dir="auto">${page.prose(value ?? '', limit)}</td>`
}

function renderLinks({ artifact, runUrl }: BatchSummary, page: Page): string[] {
  const links = [
    ...(artifact
      ? [`Artifact: ${page.link(artifact.url, page.prose(artifact.name, maxFactLength))}`]
      : []),
    ...(runUrl === undefined ? [] : [`Workflow run: ${page.link(runUrl, 'this run')}`]),
  ]
  return links.length === 0 ? [] : [`<p>${links.join('<br>')}</p>`]
}

/** One folded block; `total`: how many runs succeeded. */
function renderResults(results: readonly ResultHead[], total: number, page: Page): string[] {
  if (results.length === 0) return []
  const isWhole = results.length >= total
  const title = isWhole ? 'The results' : `The first ${results.length} of ${total} results`
  return [folded(title, results.map((result) => renderResult(result, page)).join('\n'))]
}

function renderResult({ run, size, text, complete }: ResultHead, page: Page): string {
  const name = `<p><strong>${page.prose(nameRun(run), maxFactLength)}</strong> (${describeSize(size)})</p>`
  if (text === undefined || text.trim() === '') return name
  // Free of secrets before anything of it is cut.
  const all = page.preformatted(cut(page.show(text.trimEnd()), maxHeadLength))
  const lines = takeWithin(all.slice(0, maxHeadLines), maxHeadSize)
  const isCut = lines.length < all.length || (!complete && !lines.at(-1)?.endsWith('…'))
  return `${name}\n${preformatted(isCut ? [...lines, '…'] : lines)}`
}
