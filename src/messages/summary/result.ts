/** Renders the result of a run: rows as a table, and everything else as text. */
import type { Conclusion } from '../../execution/conclusion.ts'
import { describeCount, describeSize } from '../quantities.ts'
import { chartOf } from './chart.ts'
import { folded, preformatted, takeWithin, type Page } from './html.ts'
import { isFlat, isRows, parseShown, printJson, textOf } from '../json.ts'
import type { FileText } from '../../download/file-text.ts'
import { tableOfRows } from './table.ts'

// The maximum sizes of a table and a text, in bytes of HTML. A whole summary has at most 200 KiB.
const maxTable = 50 * 1024
const maxText = 40 * 1024
const maxUnfolded = 30
const maxName = 100

/** The beginning of a result. */
export interface ResultHead extends FileText {
  /** The name of the result's file, for example `result.json`. */
  name: string
  /** The content type of the result. */
  mediaType: string
}

/** Returns true if people need the content of the result. After an error, it is rarely useful. */
export function isResultShown(conclusion: Conclusion): boolean {
  return conclusion === 'success' || conclusion === 'invalid-result'
}

/** Returns a line that names the result, and then the content of the result. */
export function renderResult(result: ResultHead, page: Page): string[] {
  const { text, complete, mediaType } = result
  if (text === undefined || /^image\//i.test(mediaType)) return [nameResult(result, page)]
  const value = complete && isJson(result) ? parseShown(text, page.show) : undefined
  if (value === undefined) return renderText(result, text, page)
  if (isRows(value)) {
    const name = nameResult(result, page, describeCount(value.length, 'row'))
    return [name, chartOf(value, page) ?? [], tableOfRows(value, maxTable, page)].flat()
  }
  return renderText(result, isFlat(value) ? textOf(value) : printJson(value), page)
}

function renderText(result: ResultHead, text: string, page: Page): string[] {
  if (text.trim() === '') return [nameResult(result, page, 'empty')]
  const all = page.preformatted(text.trimEnd())
  const shown = takeWithin(all, maxText)
  // A cut line ends with `…`. A text with a cut line counts as cut.
  const isCut = shown.length < all.length || all.some((line) => line.endsWith('…'))
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

function isJson({ mediaType, name }: ResultHead): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType) || /\.json$/i.test(name)
}
