/** Draws rows as a Mermaid chart: bars with labels, or a line over time. GitHub renders the chart. */
import { cut } from '../../cut.ts'
import type { Page } from './html.ts'
import { isNumber, textOf } from '../json.ts'
import { clean } from '../text/untrusted-text.ts'
import type { Rows } from './rows.ts'

const minPoints = 3
const maxBars = 30
const maxLabel = 20
// The number of characters that fit side by side below a chart on GitHub.
const axisWidth = 80

/**
 * Returns bars for 3 to 30 rows of one label and one number. Returns a line for 3 to 366 rows whose
 * first column is a time in ascending order, of the first column of numbers. Returns undefined for
 * other rows, if all numbers are equal, if two labels are equal, or if the chart would show a secret.
 */
export function chartOf({ columns, first, count }: Rows, page: Page): string | undefined {
  if (count !== first.length || count < minPoints) return
  const textsOf = (column: number) => first.map((row) => textOf(row[column] ?? ''))
  const numeric = [...columns.keys()].filter((column) =>
    first.every((row) => isNumber(row[column])),
  )
  const isBars = columns.length === 2 && numeric.length === 1 && count <= maxBars
  const shown = numeric.find((column) => isBars || column > 0)
  if (shown === undefined || (!isBars && !areTimes(textsOf(0)))) return
  const numbers = textsOf(shown).map(plainNumber)
  if (numbers.includes(undefined) || new Set(numbers).size === 1) return
  const texts = [columns[shown] ?? '', ...textsOf(isBars ? 1 - shown : 0)]
  const words = texts.map(plainText)
  // Look for secrets before truncating, because a truncated secret is not recognised.
  const all = [...texts, ...words, ...textsOf(shown), ...numbers.map(String)]
  if (all.some((text) => page.show(text) !== clean(text))) return
  const [title = '', ...labels] = words.map((text) => cut(text, maxLabel))
  if (new Set(labels).size < labels.length) return
  // Bars begin at zero. A line shows small changes of large numbers.
  const range = [...(isBars ? [0] : []), ...numbers.map(Number)]
  const axis = thinned(labels).map((text) => `"${text}"`)
  return [
    '```mermaid',
    isBars ? settingsOf('') : settingsOf('"xyChart": {"xAxis": {"showTick": false}}, '),
    'xychart-beta',
    `    x-axis [${axis.join(', ')}]`,
    `    y-axis ${title ? `"${title}" ` : ''}${Math.min(...range)} --> ${Math.max(...range)}`,
    `    ${isBars ? 'bar' : 'line'} [${numbers.join(', ')}]`,
    '```',
  ].join('\n')
}

// Mermaid's own colour of bars is hardly visible on white. The ticks of a year would be one bar.
function settingsOf(more: string): string {
  return `%%{init: {${more}"themeVariables": {"xyChart": {"plotColorPalette": "#4c78a8"}}}}%%`
}

const timePatterns = [
  /^(?:1[5-9]|2[01])\d\d$/,
  /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/,
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (?:\d\d?,? )?\d{4}$/,
]

/** Returns true for times that are all written in the same way, each later than the one before. */
function areTimes(texts: readonly string[]): boolean {
  const pattern = timePatterns.find((times) => times.test(texts[0] ?? ''))
  const times = texts.map((text) => (pattern?.test(text) ? Date.parse(text) : NaN))
  return times.every((time, at) => time > (times[at - 1] ?? -Infinity))
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
