/** Renders the job summary of a batch. The failures come first. Most other parts are folded. */
import type { BatchRow } from '../../execution/batch/batch-types.ts'
import type { Category } from '../../execution/conclusion.ts'
import type { Notice } from '../notice.ts'
import { failsByRuns, type BatchEnd } from '../batch/end.ts'
import { describeEndCounts } from '../batch/batch-failure.ts'
import { describeBatchEnd } from '../batch/batch-progress.ts'
import { categoryOf } from '../batch/runs.ts'
import { helpAddress, titles } from '../catalogue.ts'
import { describeElapsed } from '../quantities.ts'
import { maxIdLength } from '../../service/names.ts'
import { renderGantt } from './batch-gantt.ts'
import { folded, joinBlocks, type Page } from './html.ts'
import { headingCell, numberCell, tableOf, textCell } from './table.ts'

export const maxRunRows = 50
const maxNameLength = 100
const maxFactLength = 200
const maxCauseCell = 300
/** The maximum size of a table, in bytes of HTML. */
const maxTableSize = 75 * 1024

const worstFirst = [
  'failed',
  'succeeded',
  'unknown',
  'unfinished',
  'notStarted',
] as const satisfies Category[]

/**
 * Returns HTML blocks and one chart, always less than 400 KiB. The text ends with a blank line, so
 * that another summary can follow. `notice` is undefined if the step passes.
 */
export function renderBatchSummary(end: BatchEnd, notice: Notice | undefined, page: Page): string {
  const isInFile = end.resultsFile !== undefined
  const title = notice?.title ?? describeBatchEnd(end)
  const isFine = (row: BatchRow) => categoryOf(row) === 'succeeded' && !row.failsStep
  const successes = renderRuns(end.rows.filter(isFine), isInFile, page)
  const others = end.rows.filter((row) => !isFine(row)).toSorted(byWeight)
  return joinBlocks([
    `<h3>${emojiOf(end, notice)} ${page.sentence(title)}</h3>`,
    ...renderWhy(end, notice, page),
    ...renderRuns(others, isInFile, page),
    ...renderArtifact(end, page),
    ...renderGantt(end),
    ...(successes.length === 0 ? [] : [folded('The runs that succeeded', successes.join('\n'))]),
  ])
}

/** Compares two runs: a run that fails the step comes first, then a run of a worse category. */
function byWeight(one: BatchRow, other: BatchRow): number {
  const rank = (row: BatchRow) => worstFirst.indexOf(categoryOf(row))
  return Number(other.failsStep) - Number(one.failsStep) || rank(one) - rank(other)
}

function emojiOf({ cancelled, counts }: BatchEnd, notice: Notice | undefined): string {
  if (notice) return cancelled ? '🚫' : '❌'
  return counts.succeeded === counts.total ? '✅' : '⚠️'
}

function renderWhy(end: BatchEnd, notice: Notice | undefined, page: Page): string[] {
  if (!notice) return []
  const help = page.link(helpAddress(titles[notice.name][1]), 'Help')
  const why = failsByRuns(end)
    ? [`<strong>${describeEndCounts(end)} after ${describeElapsed(end.duration)}</strong>`]
    : notice.why.map((line) => page.sentence(line))
  const advice = notice.advice.map((line) => page.sentence(line))
  return [`<p>${[...why, ...advice, help].join('<br>')}</p>`]
}

/** Returns a table of the first runs, and counts the other runs. Empty columns are left out. */
function renderRuns(runs: readonly BatchRow[], isInFile: boolean, page: Page): string[] {
  if (runs.length === 0) return []
  const cells = runs.slice(0, maxRunRows).map((run) => cellsOf(run, page))
  const titles = Object.keys(cells[0] ?? {}).filter((title) =>
    cells.some((row) => row[title] !== undefined),
  )
  const rows = cells.map((row) => titles.map((title) => row[title] ?? '<td></td>'))
  const { html, count } = tableOf([titles.map(headingCell), ...rows], maxTableSize)
  const leftOut = runs.length - count + 1
  const more = `<p>… and ${leftOut} more${isInFile ? ', in <code>results-file</code>' : ''}.</p>`
  return [html, ...(leftOut > 0 ? [more] : [])]
}

function cellsOf(run: BatchRow, page: Page): Record<string, string | undefined> {
  const { label, duration, facts } = run
  const { execution_id, execution_url, conclusion, cause, execution_count } = facts
  const text = (value: string | null | undefined, limit: number) =>
    value == null ? undefined : textCell(page.prose(value, limit))
  const executions = execution_count > 1 ? `, ${execution_count} executions` : ''
  return {
    Run: numberCell(`${run.number}`),
    Label: text(label, maxNameLength),
    Conclusion: `<td>${conclusion}${executions}</td>`,
    Cause: text(cause, maxCauseCell),
    Duration: duration === undefined ? undefined : numberCell(describeElapsed(duration)),
    Execution:
      execution_id === null
        ? undefined
        : textCell(page.link(execution_url ?? undefined, page.prose(execution_id, maxIdLength))),
  }
}

function renderArtifact({ artifact }: BatchEnd, page: Page): string[] {
  if (!artifact) return []
  return [`<p>Artifact: ${page.link(artifact.url, page.prose(artifact.name, maxFactLength))}</p>`]
}
