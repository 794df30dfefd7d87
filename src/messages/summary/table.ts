/** Renders tables as HTML, with a limited number of rows, columns and characters. */
import { describeCount } from '../quantities.ts'
import { takeWithin, type Page } from './html.ts'
import { isNumber, textOf, type Flat, type FlatObject } from '../json.ts'

export const maxRows = 50
export const maxColumns = 12
const maxCell = 200
const maxHeading = 40

/**
 * Returns a table with one row for each object and one column for each key. A line below the table
 * counts the rows and columns that are left out. `limit` is in bytes.
 */
export function tableOfRows(objects: readonly FlatObject[], limit: number, page: Page): string[] {
  const shown = objects.slice(0, maxRows).map((object) => new Map(Object.entries(object)))
  const keys = [...new Set(shown.flatMap((row) => [...row.keys()]))]
  const columns = keys.slice(0, maxColumns)
  const headings = columns.map((key) => headingCell(page.prose(key, maxHeading)))
  const rows = shown.map((row) => columns.map((key) => cell(row.get(key), page)))
  const { html, count } = tableOf([headings, ...rows], limit)
  const moreRows = objects.length - count + 1
  const moreColumns = keys.length - columns.length
  const leftOut = [
    ...(moreRows > 0 ? [describeCount(moreRows, 'more row')] : []),
    ...(moreColumns > 0 ? [describeCount(moreColumns, 'more column')] : []),
  ]
  const rest = leftOut.length === 0 ? [] : [`<p>… and ${leftOut.join(' and ')}.</p>`]
  return [html, ...rest]
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
