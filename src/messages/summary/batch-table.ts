/** The runs of a batch as an HTML table, bounded in rows, characters and bytes. */
import { durationOf, type ShownRun } from '../batch/shown-run.ts'
import { describeElapsed } from '../quantities.ts'
import { takeWithin, type Page } from './html.ts'
import { assemble } from './table.ts'

const longestTable = 150 * 1024
const longestLabel = 80
const longestCause = 300
const longestId = 100

/** The blocks: the table of these rows, and what of `total` runs it leaves out. */
export function renderRuns(rows: readonly ShownRun[], total: number, page: Page): string[] {
  if (rows.length === 0) return []
  const hasLabels = rows.some(({ label }) => label !== undefined)
  const titles = [
    'Run',
    ...(hasLabels ? ['Label'] : []),
    'Conclusion',
    'Duration',
    'Cause',
    'Execution',
  ]
  const heading = `<tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr>`
  const shown = takeWithin([heading, ...rows.map((run) => row(run, hasLabels, page))], longestTable)
  const leftOut = total - shown.length + 1
  return [
    assemble(shown),
    ...(leftOut > 0 ? [`<p>… and ${leftOut} more, in <code>results-file</code>.</p>`] : []),
  ]
}

function row(run: ShownRun, hasLabels: boolean, page: Page): string {
  const duration = durationOf(run)
  const tries = run.attempts > 1 ? `, ${run.attempts} executions` : ''
  return [
    '<tr>',
    `<td align="right">${run.number}</td>`,
    ...(hasLabels ? [text(run.label, longestLabel, page)] : []),
    `<td>${run.conclusion}${tries}</td>`,
    `<td align="right">${duration === undefined ? '' : describeElapsed(duration)}</td>`,
    text(run.cause, longestCause, page),
    text(run.executionId, longestId, page),
    '</tr>',
  ].join('')
}

function text(value: string | undefined, limit: number, page: Page): string {
  return `<td dir="auto">${page.prose(value ?? '', limit)}</td>`
}
