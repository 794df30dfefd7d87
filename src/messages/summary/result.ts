/** Renders the result of a run: rows as a table, and everything else as text. */
import type { Conclusion } from '../../execution/conclusion.ts'
import { describeCount, describeSize } from '../quantities.ts'
import { chartOf } from './chart.ts'
import { folded, maxPreformattedLine, preformatted, takeWithin, type Page } from './html.ts'
import { isFlat, parseShown, printJson, textOf } from '../json.ts'
import type { FileText } from '../../download/file-text.ts'
import { formOf } from './read-rows.ts'
import type { Rows } from './rows.ts'
import { maxColumns, tableOfRows } from './table.ts'

// The maximum sizes of a table and a text, in bytes of HTML. A whole summary has at most 200 KiB.
const maxTable = 50 * 1024
const maxText = 40 * 1024
const maxUnfolded = 30
const maxName = 100

/** The beginning of a result, as text and, if it has rows, as rows. */
export interface ResultHead extends FileText {
  /** The name of the result's file, for example `result.json`. */
  name: string
  /** The content type of the result. */
  mediaType: string
  rows?: Rows | undefined
}

/** Returns true if people need the content of the result. After an error, it is rarely useful. */
export function isResultShown(conclusion: Conclusion): boolean {
  return conclusion === 'success' || conclusion === 'invalid-result'
}

/** Returns a line that names the result, and then the content of the result. */
export function renderResult(result: ResultHead, page: Page): string[] {
  const { text, rows, complete, mediaType, name } = result
  if (rows) return renderRows(result, rows, page)
  if (/^image\//i.test(mediaType)) return [nameResult(result, page)]
  if (text === undefined) return [nameResult(result, page, 'not UTF-8 text')]
  const isJson = complete && formOf(mediaType, name) === 'json'
  const value = isJson ? parseShown(text, page.show) : undefined
  if (value === undefined) return renderText(result, text, page)
  return renderText(result, isFlat(value) ? textOf(value) : printJson(value), page)
}

function renderRows(result: ResultHead, rows: Rows, page: Page): string[] {
  const { count, around } = rows
  const note = count === undefined ? 'its first rows are shown' : describeCount(count, 'row')
  const blocks = [around && renderAround(around, page), chartOf(rows, page)]
  const table = tableOfRows(rows, maxTable, page)
  return [
    nameResult(result, page, note),
    ...blocks.filter((block) => block !== undefined),
    ...table,
  ]
}

/** Returns a line with the name of the list and the other members of the object around it. */
function renderAround({ list, members }: NonNullable<Rows['around']>, page: Page): string {
  const others = members
    .slice(0, maxColumns)
    .map(([name, value]) => `${page.prose(name, maxName)}: ${page.prose(textOf(value), maxName)}`)
  const more = others.length === 0 ? '' : ` (${others.join(', ')})`
  return `<p><strong>${page.prose(list, maxName)}</strong>${more}</p>`
}

function renderText(result: ResultHead, text: string, page: Page): string[] {
  if (text.trim() === '') return [nameResult(result, page, 'empty')]
  const all = page.preformatted(text.trimEnd())
  const shown = takeWithin(all, maxText)
  // A text with a cut line counts as cut. Escaping makes a line longer, never shorter.
  const isLineCut = (line: string) => line.endsWith('…') && line.length >= maxPreformattedLine - 1
  const isCut = shown.length < all.length || all.some(isLineCut)
  const note = isCut || !result.complete ? 'its beginning is shown' : undefined
  const block = preformatted(shown)
  return [
    nameResult(result, page, note),
    shown.length > maxUnfolded ? folded('The result', block) : block,
  ]
}

/** Returns the line with the name, type and size of a result. */
export function nameResult(
  { name, mediaType, size }: ResultHead,
  page: Page,
  note?: string,
): string {
  const facts = [page.prose(mediaType, maxName), describeSize(size), note]
  const known = facts.filter((fact) => fact !== undefined && fact !== '').join(', ')
  return `<p><strong>Result</strong>: <code>${page.prose(name, maxName)}</code> (${known})</p>`
}
