/** The result of a run as people like to read it. */
import { cut } from '../foreign-text.ts'
import { chartOf } from './chart.ts'
import { closeCutList } from './cut-list.ts'
import type { ResultPreview } from './facts.ts'
import { escapePreformatted, escapeProse, folded, preformatted, takeWithin } from './html.ts'
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
import { describeSize } from './size.ts'
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
export function renderResult(result: ResultPreview): string[] {
  if (result.text === undefined || /^image\//i.test(result.mediaType)) return [nameResult(result)]
  const value = isJson(result) ? readValue(result, result.text) : undefined
  return value === undefined ? renderText(result, result.text) : renderJson(result, value)
}

/** Of a result that was cut, only a list of rows can still be read: its first ones. */
function readValue({ complete }: ResultPreview, text: string): Json | undefined {
  if (complete) return parseJson(text)
  const rows = parseJson(closeCutList(text) ?? '')
  return rows !== undefined && isRows(rows) ? rows : undefined
}

function renderJson(result: ResultPreview, value: Json): string[] {
  if (isRows(value)) return renderRows(result, value)
  const chart = chartOf(value) ?? []
  if (isObject(value) && Object.keys(value).length > 0) {
    return [nameResult(result), chart, ...renderObject(value)].flat()
  }
  if (isFlat(value)) return renderText(result, textOf(value))
  const [text] = shownText(printJson(value, true))
  return [nameResult(result), chart, folded('The result as JSON', text)].flat()
}

function renderRows(result: ResultPreview, rows: FlatObject[]): string[] {
  const { html, leftOut } = tableOfRows(rows, longestTable)
  if (!result.complete) {
    return [nameResult(result, 'too large to be shown whole'), html, '<p>… and more rows.</p>']
  }
  const counted = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  return [nameResult(result, counted), chartOf(rows) ?? [], withRest({ html, leftOut })].flat()
}

/** Pairs of key and value; a value that is itself a list of rows gets a table of its own. */
function renderObject(value: JsonObject): string[] {
  const entries = Object.entries(value)
  const inner = entries.filter(([, part]) => isRows(part)).slice(0, mostInnerTables)
  const pairs = entries
    .filter((entry) => !inner.includes(entry))
    .map(([key, part]): [string, Flat] => [key, isFlat(part) ? part : printJson(part, false)])
  const tables = inner.flatMap(([key, part]) =>
    isRows(part)
      ? [`<p><strong>${escapeProse(key, longestName)}</strong></p>`].concat(
          withRest(tableOfRows(part, longestInnerTable)),
        )
      : [],
  )
  return [...(pairs.length > 0 ? withRest(tableOfPairs(pairs, longestPairs)) : []), ...tables]
}

function renderText(result: ResultPreview, text: string): string[] {
  if (text.trim() === '') return [nameResult(result, 'empty')]
  const [block, lineCount, whole] = shownText(text)
  const note = whole && result.complete ? undefined : 'its beginning is shown'
  return [
    nameResult(result, note),
    lineCount > longestUnfolded ? folded('The result', block) : block,
  ]
}

function shownText(text: string): [block: string, lineCount: number, whole: boolean] {
  const head = cut(text.trimEnd(), longestText)
  const all = escapePreformatted(head)
  const shown = takeWithin(all, longestText)
  // A line that is too long ends like a text that is.
  const cutAnywhere = shown.length < all.length || all.some((line) => line.endsWith('…'))
  return [preformatted(shown), shown.length, !cutAnywhere]
}

function withRest({ html, leftOut }: Table): string[] {
  return leftOut ? [html, `<p>… and ${leftOut}.</p>`] : [html]
}

/** The line that names the result, for where it is not shown. */
export function nameResult({ name, mediaType, size }: ResultPreview, note?: string): string {
  const facts = [escapeProse(mediaType, longestName), describeSize(size), note]
  const told = facts.filter((fact) => fact !== undefined && fact !== '').join(', ')
  return `<p><strong>Result</strong>: <code>${escapeProse(name, longestName)}</code> (${told})</p>`
}

function isJson({ mediaType, name }: ResultPreview): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType) || /\.json$/i.test(name)
}
