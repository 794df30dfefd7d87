/** Renders tables as HTML, with a limited number of rows, columns and characters. */
import { describeCount } from '../quantities.ts'
import { takeWithin, type Page } from './html.ts'
import { isNumber, textOf, type Flat } from '../json.ts'
import { maxShownRows, type Rows } from './rows.ts'

export const maxColumns = 12
const maxCell = 200
const maxHeading = 40

/**
 * Returns a table of the first rows and columns. A line below the table says how many are left out.
 * `limit` is in bytes.
 */
export function tableOfRows({ columns, first, count }: Rows, limit: number, page: Page): string[] {
  const shown = columns.slice(0, maxColumns)
  const headings = shown.map((name) => headingCell(page.prose(name, maxHeading)))
  const rows = first.slice(0, maxShownRows).map((row) => shown.map((_, at) => cell(row[at], page)))
  const table = tableOf([headings, ...rows], limit)
  const moreRows = count === undefined ? undefined : count - table.count + 1
  const moreColumns = columns.length - shown.length
  const leftOut = [
    ...(moreRows === 0
      ? []
      : [moreRows === undefined ? 'more rows' : describeCount(moreRows, 'more row')]),
    ...(moreColumns > 0 ? [describeCount(moreColumns, 'more column')] : []),
  ]
  const rest = leftOut.length === 0 ? [] : [`<p>… and ${leftOut.join(' and ')}.</p>`]
  return [table.html, ...rest]
}

/** Returns a table of the first rows that fit into `limit` bytes, and the number of these rows. */
export function tableOf(
  rows: readonly (readonly string[])[],
  limit = Infinity,
): { html: string; count: number } {
  const all = rows.map((cells) => `<tr>${cells.join('')}</tr>`)
  const fitting = takeWithin(all, limit)
  return { html: `<table>\n${fitting.join('\n')}\n</table>`, count: fitting.length }
}

export function headingCell(html: string): string {
  return `<th>${html}</th>`
}

export function numberCell(html: string): string {
  return `<td align="right">${html}</td>`
}

export function textCell(html: string): string {
  return `<td dir="auto">${html}</td>`
}

function cell(value: Flat | undefined, page: Page): string {
  const text = value === undefined ? '' : page.prose(textOf(value), maxCell)
  return isNumber(value) ? numberCell(text) : textCell(text)
}
