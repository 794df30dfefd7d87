/** Draws a small list of records as a Mermaid chart. GitHub renders the chart. */
import { cut } from '../../cut.ts'
import type { Page } from './html.ts'
import { isNumber, textOf, type FlatObject } from '../json.ts'

const minPoints = 3
const maxPoints = 30
const maxLabel = 20
// The number of characters that fit side by side below a chart on GitHub.
const axisWidth = 80
// Mermaid's own colour of bars is hardly visible on white.
const blueBars = '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#4c78a8"}}}}%%'
const zeroWidthSpace = '\u200b'

/**
 * Returns a bar chart of 3 to 30 records, each with one label and one number. Returns undefined for
 * other records, if all numbers are equal, if two labels are equal, or if the chart would show a
 * secret.
 */
export function chartOf(rows: readonly FlatObject[], page: Page): string | undefined {
  const columns = Object.keys(rows[0] ?? {})
  const [name, ...others] = columns.filter((key) => rows.every((row) => isNumber(row[key])))
  const label = columns.find((key) => key !== name)
  const isSeries = columns.length === 2 && name !== undefined && others.length === 0
  if (!isSeries || label === undefined || rows.length < minPoints || rows.length > maxPoints) return
  const numbers = rows.map((row) => plainNumber(textIn(row, name)))
  if (numbers.includes(undefined) || new Set(numbers).size === 1) return
  const words = [name, ...rows.map((row) => textIn(row, label))].map(plainText)
  // Look for secrets before truncating, because a truncated secret is not recognised.
  if ([...words, ...numbers.map(String)].some((text) => page.show(text) !== text)) return
  const [title = '', ...labels] = words.map((text) => cut(text, maxLabel))
  if (new Set(labels).size < labels.length) return
  const values = numbers.map(Number)
  return [
    '```mermaid',
    blueBars,
    'xychart-beta',
    `    x-axis [${thinned(labels)
      .map((text) => `"${text}"`)
      .join(', ')}]`,
    `    y-axis ${title ? `"${title}" ` : ''}${Math.min(0, ...values)} --> ${Math.max(0, ...values)}`,
    `    bar [${numbers.join(', ')}]`,
    '```',
  ].join('\n')
}

/** Removes labels until the remaining labels fit side by side. */
function thinned(labels: readonly string[]): string[] {
  const width = Math.max(...labels.map((text) => text.length)) + 1
  const step = Math.ceil((labels.length * width) / axisWidth)
  // Mermaid draws bars with equal labels in one place. Therefore, each removed label becomes an
  // invisible text of a different length.
  return labels.map((text, index) =>
    index % step === 0 ? text || `${index + 1}` : zeroWidthSpace.repeat(index),
  )
}

function textIn(row: FlatObject, key: string): string {
  const value = row[key]
  return value === undefined ? '' : textOf(value)
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
