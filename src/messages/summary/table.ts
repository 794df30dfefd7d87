/** Rows of values as an HTML table, bounded in rows, columns, characters and bytes. */
import { takeWithin, type Page } from './html.ts'
import { isNumber, textOf, type Flat, type FlatObject } from './json.ts'

const maxRows = 50
const maxColumns = 12
const maxCell = 200
const maxHeading = 40

export interface Table {
  html: string
  /** What the table leaves out, in words; empty where it is whole. */
  leftOut: string
}

/** One row per object, one column per key of the rows shown. `limit`: bytes. */
export function tableOfRows(objects: readonly FlatObject[], limit: number, page: Page): Table {
  const shown = objects.slice(0, maxRows).map((object) => new Map(Object.entries(object)))
  const keys = [...new Set(shown.flatMap((row) => [...row.keys()]))]
  const columns = keys.slice(0, maxColumns)
  const headings = columns.map((key) => `<th>${page.prose(key, maxHeading)}</th>`).join('')
  const rows = shown.map(
    (row) => `<tr>${columns.map((key) => cell(row.get(key), page)).join('')}</tr>`,
  )
  const fitting = takeWithin([`<tr>${headings}</tr>`, ...rows], limit)
  const leftOut = [
    count(objects.length - fitting.length + 1, 'more row'),
    count(keys.length - columns.length, 'more column'),
  ]
  return {
    html: assemble(fitting),
    leftOut: leftOut.filter(Boolean).join(' and '),
  }
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

function count(amount: number, noun: string): string {
  if (amount === 0) return ''
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
