/** Rows of values as an HTML table, bounded in rows, columns, characters and bytes. */
import { describeCount } from '../quantities.ts'
import { takeWithin, type Page } from './html.ts'
import { isNumber, textOf, type Flat, type FlatObject } from './json.ts'

const maxRows = 50
const maxColumns = 12
const maxCell = 200
const maxHeading = 40

/**
 * The blocks: one row per object, one column per key of the rows shown, and what they leave out.
 * `limit`: bytes.
 */
export function tableOfRows(objects: readonly FlatObject[], limit: number, page: Page): string[] {
  const shown = objects.slice(0, maxRows).map((object) => new Map(Object.entries(object)))
  const keys = [...new Set(shown.flatMap((row) => [...row.keys()]))]
  const columns = keys.slice(0, maxColumns)
  const headings = columns.map((key) => `<th>${page.prose(key, maxHeading)}</th>`).join('')
  const rows = shown.map(
    (row) => `<tr>${columns.map((key) => cell(row.get(key), page)).join('')}</tr>`,
  )
  const fitting = takeWithin([`<tr>${headings}</tr>`, ...rows], limit)
  const moreRows = objects.length - fitting.length + 1
  const moreColumns = keys.length - columns.length
  const leftOut = [
    ...(moreRows > 0 ? [describeCount(moreRows, 'more row')] : []),
    ...(moreColumns > 0 ? [describeCount(moreColumns, 'more column')] : []),
  ]
  const rest = leftOut.length === 0 ? [] : [`<p>… and ${leftOut.join(' and ')}.</p>`]
  return [assemble(fitting), ...rest]
}

export function keyCell(key: string, page: Page): string {
  return `<th align="left">${page.prose(key, maxHeading)}</th>`
}

export function assemble(rows: readonly string[]): string {
  return `<table>\n${rows.join('\n')}\n</table>`
}

function cell(value: Flat | undefined, page: Page): string {
  const text = value === undefined ? '' : page.prose(textOf(value), maxCell)
  return isNumber(value) ? `<td align="right">${text}</td>` : `<td dir="auto">${text}</td>`
}
