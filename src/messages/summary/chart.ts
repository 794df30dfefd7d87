/** A small series of numbers as a Mermaid chart, which GitHub draws. */
import { cut } from '../../cut.ts'
import type { Show } from '../text/secrets.ts'
import {
  isNumber,
  isObject,
  isRows,
  textOf,
  type Flat,
  type FlatObject,
  type Json,
} from './json.ts'

interface Point {
  label: string
  number: string
}

interface Series {
  name: string
  points: Point[]
}

const fewestPoints = 3
const mostPoints = 30
const longestLabel = 20

/**
 * A chart, where one says more than the numbers: 3 to 30 of them, not all alike, that are the only
 * numeric column beside one column of labels, or the values of one object, or a list. None where a
 * part of it may not be shown.
 */
export function chartOf(value: Json, show: Show): string | undefined {
  const series = findSeries(value)
  if (!series || series.points.length < fewestPoints || series.points.length > mostPoints) return
  const numbers = series.points.map((point) => plainNumber(point.number))
  if (numbers.includes(undefined) || new Set(numbers).size === 1) return
  const names = [series.name, ...series.points.map(({ label }) => label)].map(plainText)
  // Redact before truncating: a truncated secret no longer matches.
  if ([...names, ...numbers.map(String)].some((text) => show(text) !== text)) return
  const [name = '', ...labels] = names.map((text) => cut(text, longestLabel))
  const axis = labels.map((label, index) => `"${label || index + 1}"`)
  return [
    '```mermaid',
    'xychart-beta',
    `    x-axis [${axis.join(', ')}]`,
    ...(name ? [`    y-axis "${name}"`] : []),
    `    bar [${numbers.join(', ')}]`,
    '```',
  ].join('\n')
}

function findSeries(value: Json): Series | undefined {
  if (isRows(value)) return seriesOfRows(value)
  const pairs = Array.isArray(value) || isObject(value) ? Object.entries(value) : []
  const first = Array.isArray(value) ? 1 : undefined
  const points: Point[] = []
  for (const [index, [key, number]] of pairs.entries()) {
    if (!isNumber(number)) return undefined
    points.push({ label: first === undefined ? key : String(index + first), number: number.source })
  }
  return { name: '', points }
}

function seriesOfRows(rows: readonly FlatObject[]): Series | undefined {
  const columns = Object.keys(rows[0] ?? {})
  const numeric = columns.filter((column) => rows.every((row) => isNumber(row[column])))
  const [name] = numeric
  const [label] = columns.filter((column) => column !== name)
  if (columns.length !== 2 || numeric.length !== 1 || name === undefined || label === undefined)
    return
  const points = rows.map((row) => ({ label: flatText(row[label]), number: flatText(row[name]) }))
  return { name, points }
}

function flatText(value: Flat | undefined): string {
  return value === undefined ? '' : textOf(value)
}

/** Mermaid reads neither exponents nor more digits than a double has. */
function plainNumber(source: string): string | undefined {
  const text = String(Number(source))
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined
}

/** Letters, digits and what dates and names are made of: nothing that Mermaid could read as its own. */
function plainText(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N} ._:/+-]+/gu, ' ').trim()
}
