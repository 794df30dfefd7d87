/** The result of a run as people like to read it. */
import { chartOf } from './chart.ts'
import { closeCutList } from './cut-list.ts'
import type { ResultPreview } from './parts.ts'
import { folded, preformatted, takeWithin, type Page } from './html.ts'
import {
  isFlat,
  isObject,
  isRows,
  parseJson,
  printJson,
  textOf,
  type Flat,
  type FlatObject,
  type Json,
  type JsonObject,
} from './json.ts'
import { describeSize } from '../quantities.ts'
import { tableOfPairs, tableOfRows, type Table } from './table.ts'

// Bytes of HTML. Together with the other parts well under the 200 KiB of a whole summary.
const longestTable = 50 * 1024
const longestPairs = 30 * 1024
const longestText = 40 * 1024
const longestInnerTable = 12 * 1024
const mostInnerTables = 3
const longestUnfolded = 30
const longestName = 100

/** The blocks to show: a line that names the result, then what it holds. */
export function renderResult(result: ResultPreview, page: Page): string[] {
  if (result.text === undefined || /^image\//i.test(result.mediaType)) {
    return [nameResult(result, page)]
  }
  const value = isJson(result) ? readValue(result, result.text, page) : undefined
  return value === undefined
    ? renderText(result, result.text, page)
    : renderJson(result, value, page)
}

/** Of a result that was cut, only a list of rows can still be read: its first ones. */
function readValue({ complete }: ResultPreview, text: string, { show }: Page): Json | undefined {
  if (complete) return parseJson(text, show)
  const rows = parseJson(closeCutList(text) ?? '', show)
  return rows !== undefined && isRows(rows) ? rows : undefined
}

function renderJson(result: ResultPreview, value: Json, page: Page): string[] {
  if (isRows(value)) return renderRows(result, value, page)
  const chart = chartOf(value, page.show) ?? []
  if (isObject(value) && Object.keys(value).length > 0) {
    return [nameResult(result, page), chart, ...renderObject(value, page)].flat()
  }
  if (isFlat(value)) return renderText(result, textOf(value), page)
  const { block } = shownText(printJson(value, true), page)
  return [nameResult(result, page), chart, folded('The result as JSON', block)].flat()
}

function renderRows(result: ResultPreview, rows: FlatObject[], page: Page): string[] {
  const { html, leftOut } = tableOfRows(rows, longestTable, page)
  if (!result.complete) {
    const named = nameResult(result, page, 'too large to be shown whole')
    return [named, html, '<p>… and more rows.</p>']
  }
  const counted = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  const chart = chartOf(rows, page.show) ?? []
  return [nameResult(result, page, counted), chart, withRest({ html, leftOut })].flat()
}

/** Pairs of key and value; a value that is itself a list of rows gets a table of its own. */
function renderObject(value: JsonObject, page: Page): string[] {
  const entries = Object.entries(value)
  const inner = entries.filter(([, part]) => isRows(part)).slice(0, mostInnerTables)
  const pairs = entries
    .filter((entry) => !inner.includes(entry))
    .map(([key, part]): [string, Flat] => [key, isFlat(part) ? part : printJson(part, false)])
  const tables = inner.flatMap(([key, part]) =>
    isRows(part)
      ? [`<p><strong>${page.prose(key, longestName)}</strong></p>`].concat(
          withRest(tableOfRows(part, longestInnerTable, page)),
        )
      : [],
  )
  return [...(pairs.length > 0 ? withRest(tableOfPairs(pairs, longestPairs, page)) : []), ...tables]
}

function renderText(result: ResultPreview, text: string, page: Page): string[] {
  if (text.trim() === '') return [nameResult(result, page, 'empty')]
  const { block, lineCount, isWhole } = shownText(text, page)
  const note = isWhole && result.complete ? undefined : 'its beginning is shown'
  return [
    nameResult(result, page, note),
    lineCount > longestUnfolded ? folded('The result', block) : block,
  ]
}

interface ShownText {
  block: string
  lineCount: number
  isWhole: boolean
}

function shownText(text: string, page: Page): ShownText {
  const all = page.preformatted(text.trimEnd())
  const shown = takeWithin(all, longestText)
  // A line that is too long ends like a text that is.
  const cutAnywhere = shown.length < all.length || all.some((line) => line.endsWith('…'))
  return { block: preformatted(shown), lineCount: shown.length, isWhole: !cutAnywhere }
}

function withRest({ html, leftOut }: Table): string[] {
  return leftOut ? [html, `<p>… and ${leftOut}.</p>`] : [html]
}

/** The line that names the result, for where it is not shown. */
export function nameResult(
  { name, mediaType, size }: ResultPreview,
  page: Page,
  note?: string,
): string {
  const facts = [page.prose(mediaType, longestName), describeSize(size), note]
  const told = facts.filter((fact) => fact !== undefined && fact !== '').join(', ')
  return `<p><strong>Result</strong>: <code>${page.prose(name, longestName)}</code> (${told})</p>`
}

function isJson({ mediaType, name }: ResultPreview): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType) || /\.json$/i.test(name)
}
