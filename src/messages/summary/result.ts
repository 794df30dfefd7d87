/** The result of a run as people like to read it: rows as a table, all else as text. */
import { describeSize } from '../quantities.ts'
import { chartOf } from './chart.ts'
import { folded, preformatted, takeWithin, type Page } from './html.ts'
import { isFlat, isRows, parseJson, printJson, textOf, type FlatObject } from './json.ts'
import type { FileText } from '../../download/file-text.ts'
import { tableOfRows } from './table.ts'

// Bytes of HTML. Together with the other parts well under the 200 KiB of a whole summary.
const maxTable = 50 * 1024
const maxText = 40 * 1024
const maxUnfolded = 30
const maxName = 100

/** The beginning of a result, at most 256 KiB. */
export interface ResultPreview extends FileText {
  /** The result's file name, e.g. `result.json`. */
  name: string
  /** As the store says, e.g. `application/json; charset=utf-8`. */
  mediaType: string
}

/** The blocks to show: a line that names the result, then what it holds. */
export function renderResult(result: ResultPreview, page: Page): string[] {
  const { text, complete } = result
  if (text === undefined || /^image\//i.test(result.mediaType)) return [nameResult(result, page)]
  const value = complete && isJson(result) ? parseJson(text, page.show) : undefined
  if (value === undefined) return renderText(result, text, page)
  if (isRows(value)) return renderRows(result, value, page)
  return renderText(result, isFlat(value) ? textOf(value) : printJson(value), page)
}

function renderRows(result: ResultPreview, rows: FlatObject[], page: Page): string[] {
  const { html, leftOut } = tableOfRows(rows, maxTable, page)
  const counted = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  const rest = leftOut ? [`<p>… and ${leftOut}.</p>`] : []
  return [nameResult(result, page, counted), chartOf(rows, page.show) ?? [], html, rest].flat()
}

function renderText(result: ResultPreview, text: string, page: Page): string[] {
  if (text.trim() === '') return [nameResult(result, page, 'empty')]
  const all = page.preformatted(text.trimEnd())
  const shown = takeWithin(all, maxText)
  // A line that is too long ends like a text that is.
  const isCut = shown.length < all.length || all.some((line) => line.endsWith('…'))
  const note = isCut || !result.complete ? 'its beginning is shown' : undefined
  const block = preformatted(shown)
  return [
    nameResult(result, page, note),
    shown.length > maxUnfolded ? folded('The result', block) : block,
  ]
}

/** The line that names the result, for where it is not shown. */
export function nameResult(
  { name, mediaType, size }: ResultPreview,
  page: Page,
  note?: string,
): string {
  const facts = [page.prose(mediaType, maxName), describeSize(size), note]
  const known = facts.filter((fact) => fact !== undefined && fact !== '').join(', ')
  return `<p><strong>Result</strong>: <code>${page.prose(name, maxName)}</code> (${known})</p>`
}

function isJson({ mediaType, name }: ResultPreview): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType) || /\.json$/i.test(name)
}
