/** Draws rows as a Mermaid chart: bars with labels, or a line over time. GitHub renders the chart. */
import { cut } from '../../cut.ts'
import type { Page } from './html.ts'
import { isNumber, textOf } from '../json.ts'
import { clean } from '../text/untrusted-text.ts'
import { maxPoints, type Rows } from './rows.ts'

const minPoints = 3
const maxBars = 30
const maxLabel = 20
// The number of characters that fit side by side below a chart on GitHub.
const axisWidth = 80
// Mermaid's own colour of bars is hardly visible on white.
const blue = '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#4c78a8"}}}}%%'

/**
 * Returns bars for 3 to 30 rows of one label and one number. Returns a line for 3 to 366 rows whose
 * first column is a time in ascending order, of the first column of numbers. Returns undefined for
 * other rows, if all numbers are equal, if two labels are equal, or if the chart would show a secret.
 */
export function chartOf({ columns, first, count }: Rows, page: Page): string | undefined {
  if (count !== first.length || count < minPoints || count > maxPoints) return
  const textsOf = (column: number) => first.map((row) => textOf(row[column] ?? ''))
  const numeric = [...columns.keys()].filter((column) =>
    first.every((row) => isNumber(row[column])),
  )
  const isBars = columns.length === 2 && numeric.length === 1 && count <= maxBars
  const time = isBars || isAscending(textsOf(0)) ? 0 : undefined
  const number = numeric.find((column) => isBars || column !== time)
  if (time === undefined || number === undefined) return
  const labels = textsOf(isBars ? 1 - number : time)
  return draw(isBars ? 'bar' : 'line', columns[number] ?? '', labels, textsOf(number), page)
}

const timePatterns = [
  /^(?:1[5-9]|2[01])\d\d$/,
  /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/,
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (?:\d\d?,? )?\d{4}$/,
]

/** Returns true for times that are all written in the same way, each later than the one before. */
function isAscending(texts: readonly string[]): boolean {
  const pattern = timePatterns.find((times) => times.test(texts[0] ?? ''))
  const times = texts.map((text) => (pattern?.test(text) ? Date.parse(text) : NaN))
  return times.every((time, at) => time > (times[at - 1] ?? -Infinity))
}

function draw(
  kind: 'bar' | 'line',
  name: string,
  labelTexts: readonly string[],
  numberTexts: readonly string[],
  page: Page,
): string | undefined {
  const numbers = numberTexts.map(plainNumber)
  if (numbers.includes(undefined) || new Set(numbers).size === 1) return
  const texts = [name, ...labelTexts]
  const words = texts.map(plainText)
  // Look for secrets before truncating, because a truncated secret is not recognised.
  const all = [...texts, ...words, ...numberTexts, ...numbers.map(String)]
  if (all.some((text) => page.show(text) !== clean(text))) return
  const [title = '', ...labels] = words.map((text) => cut(text, maxLabel))
  if (new Set(labels).size < labels.length) return
  const values = numbers.map(Number)
  // Bars begin at zero. A line shows small changes of large numbers.
  const range = kind === 'bar' ? [0, ...values] : values
  return [
    '```mermaid',
    blue,
    'xychart-beta',
    `    x-axis [${thinned(labels)
      .map((text) => `"${text}"`)
      .join(', ')}]`,
    `    y-axis ${title ? `"${title}" ` : ''}${Math.min(...range)} --> ${Math.max(...range)}`,
    `    ${kind} [${numbers.join(', ')}]`,
    '```',
  ].join('\n')
}

/** Removes labels until the remaining labels fit side by side. */
function thinned(labels: readonly string[]): string[] {
  const width = Math.max(...labels.map((text) => text.length)) + 1
  const step = Math.ceil((labels.length * width) / axisWidth)
  // Mermaid draws equal labels in one place. Therefore, each removed label becomes another invisible
  // text: its index as a binary number, with two characters of no width as digits.
  return labels.map((text, index) =>
    index % step === 0
      ? text || `${index + 1}`
      : index.toString(2).replaceAll('0', '\u200b').replaceAll('1', '\u200c'),
  )
}

/** Returns a number that Mermaid can read, or undefined. Mermaid cannot read exponents. */
function plainNumber(source: string): string | undefined {
  const text = String(Number(source))
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined
}

/** Keeps only characters that Mermaid cannot read as a command. */
function plainText(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N} ._:/+-]+/gu, ' ').trim()
}
