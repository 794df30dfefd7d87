/** The job summary of a batch: what failed and why first, then what else there is, folded. */
import type { FileText } from '../../download/file-text.ts'
import type { Category } from '../../execution/conclusion.ts'
import type { Annotation } from '../annotation.ts'
import { failsByRuns, type BatchEnd } from '../batch/end.ts'
import { describeEndCounts } from '../batch/failure.ts'
import { batchHint } from '../batch/hint.ts'
import { describeBatchEnd } from '../batch/progress.ts'
import { durationOf, nameRun, type ShownRun } from '../batch/runs.ts'
import { describeStop } from '../batch/stop.ts'
import { helpAddress } from '../catalogue.ts'
import { describeCount, describeElapsed, describeSize } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { renderGantt } from './batch-gantt.ts'
import { folded, joinBlocks, Page, preformatted, takeWithin } from './html.ts'
import { headingCell, numberCell, tableOf, textCell } from './table.ts'

/** What the summary has beside how the batch ended. */
export interface SummaryParts {
  /** The annotation, where the step fails. */
  failure: Annotation | undefined
  /** None where the input print-result is false. */
  results: readonly ResultHead[]
}

/** The beginning of what one run returned. */
export interface ResultHead extends FileText {
  run: Pick<ShownRun, 'index' | 'label'>
}

const maxRows = 50
const maxNameLength = 100
const maxSentenceLength = 600
const maxFactLength = 200
const maxCauseLength = 300
// Bytes of HTML.
const maxTableSize = 75 * 1024
const maxHeadSize = 6 * 1024
const maxHeadLines = 10

const worstFirst = ['failed', 'unknown', 'unfinished', 'notStarted'] as const

/**
 * HTML blocks and one chart, under 400 KiB whatever the number of runs and whatever is in their
 * texts. Ends with a blank line, like the summary of one run.
 */
export function renderBatchSummary(end: BatchEnd, parts: SummaryParts, show: Show): string {
  const page = new Page(show)
  const { counts, runs, resultsFile } = end
  const isInFile = resultsFile !== undefined
  const title = parts.failure?.title ?? describeBatchEnd(end)
  const of = (category: Category) => runs.filter((run) => run.category === category)
  const successes = renderRuns(of('succeeded'), isInFile, page)
  return joinBlocks([
    `<h3>${signOf(end, parts)} ${page.prose(title, maxSentenceLength)}</h3>`,
    ...renderShard(end),
    ...renderFailure(end, parts, page),
    ...renderRuns(worstFirst.flatMap(of), isInFile, page),
    ...renderArtifact(end, page),
    ...renderGantt(end),
    ...(successes.length === 0 ? [] : [folded('The runs that succeeded', successes.join('\n'))]),
    ...renderResults(parts.results, counts.succeeded, page),
  ])
}

function signOf({ conclusion, counts }: BatchEnd, { failure }: SummaryParts): string {
  if (failure) return conclusion === 'cancelled' ? '🚫' : '❌'
  return counts.succeeded === counts.total ? '✅' : '⚠️'
}

function renderShard({ shard, counts }: BatchEnd): string[] {
  if (!shard) return []
  const { index, total, allSeeds } = shard
  return [
    `<p>Shard ${index + 1} of ${total}: ${counts.total} of ${describeCount(allSeeds, 'seed')}.</p>`,
  ]
}

function renderFailure(end: BatchEnd, { failure }: SummaryParts, page: Page): string[] {
  if (!failure) return []
  const help = page.link(helpAddress(failure.entry), 'Help')
  if (!failsByRuns(end)) {
    return [`<p>${page.prose(failure.message, 4 * maxSentenceLength)}<br>${help}</p>`]
  }
  const lines = [
    ...(end.stoppedBy ? [describeStop(end.stoppedBy, page.show)] : []),
    `Next: ${batchHint(end, page.show)}`,
  ].map((line) => page.prose(line, 2 * maxSentenceLength))
  const first = `${describeEndCounts(end)} after ${describeElapsed(end.duration)}`
  return [`<p>${[`<strong>${first}</strong>`, ...lines, help].join('<br>')}</p>`]
}

/** The table of the first of these runs, without columns that are empty, and how many it leaves out. */
function renderRuns(runs: readonly ShownRun[], isInFile: boolean, page: Page): string[] {
  if (runs.length === 0) return []
  const cells = runs.slice(0, maxRows).map((run) => cellsOf(run, page))
  const titles = Object.keys(cells[0] ?? {}).filter((title) =>
    cells.some((row) => row[title] !== undefined),
  )
  const rows = cells.map((row) => titles.map((title) => row[title] ?? '<td></td>'))
  const { html, count } = tableOf([titles.map(headingCell), ...rows], maxTableSize)
  const leftOut = runs.length - count + 1
  const more = `<p>… and ${leftOut} more${isInFile ? ', in <code>results-file</code>' : ''}.</p>`
  return [html, ...(leftOut > 0 ? [more] : [])]
}

function cellsOf(run: ShownRun, page: Page): Record<string, string | undefined> {
  const text = (value: string | undefined, limit: number) =>
    value === undefined ? undefined : textCell(page.prose(value, limit))
  const duration = durationOf(run)
  const attempts = run.attempts.length > 1 ? `, ${run.attempts.length} executions` : ''
  return {
    Run: numberCell(`${run.index + 1}`),
    Label: text(run.label, maxNameLength),
    Conclusion: `<td>${run.conclusion}${attempts}</td>`,
    Cause: text(run.cause, maxCauseLength),
    Duration: duration === undefined ? undefined : numberCell(describeElapsed(duration)),
    Execution: text(run.executionId, maxNameLength),
  }
}

function renderArtifact({ artifact }: BatchEnd, page: Page): string[] {
  if (!artifact) return []
  return [`<p>Artifact: ${page.link(artifact.url, page.prose(artifact.name, maxFactLength))}</p>`]
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
  const all = page.preformatted(text.trimEnd())
  const lines = takeWithin(all.slice(0, maxHeadLines), maxHeadSize)
  const isCut = lines.length < all.length || (!complete && !lines.at(-1)?.endsWith('…'))
  return `${name}\n${preformatted(isCut ? [...lines, '…'] : lines)}`
}
