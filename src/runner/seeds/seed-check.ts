/** What is wrong with one element of a list, by the rules that a single seed has too. */
import { constants } from 'node:buffer'
import {
  describeStop,
  kindOf,
  locateJsonProblem,
  type LineAndColumn,
} from '../inputs/json-problem.ts'
import type { ByteRange, ByteSource } from './byte-source.ts'

export interface SeedProblem {
  /** Of the place that is told with it. */
  offset: number
  tell: (place: LineAndColumn) => string
  /** Whether what comes behind it can't be told apart any more. */
  isLast: boolean
}

export interface SoundSeed {
  text: string
  value: object
}

export type CheckedSeed = { seed: SoundSeed } | { problem: SeedProblem }

export interface Element extends ByteRange {
  /** In the list, from 1. */
  number: number
  /** Whether it has to stand on one line. */
  onLine: boolean
}

/** More can be no text in memory, which is what bounds a single seed too. */
export const largestSeed = constants.MAX_STRING_LENGTH

/** Automations are Python programs, and Python's parser gives up near 1,000 levels. */
export const deepestSeed = 900

/** Of an element that its list ends in, so much is read for the place of the fault. */
const readOfBroken = 16 * 2 ** 20

export async function checkSeed(
  source: ByteSource,
  element: Element,
  isWhole: boolean,
): Promise<CheckedSeed> {
  const { start, end } = element
  const length = isWhole ? end - start : Math.min(end - start, readOfBroken)
  if (length > largestSeed) return problemAt(element, start, 'expected at most 512 MiB, found more')
  const bytes = await source.read({ start, end: start + length })
  const text = decode(bytes, length < end - start)
  if (text === undefined) {
    const tell = (place: LineAndColumn) => `element ${element.number}: ${notUtf8(place)}`
    return { problem: { offset: start, tell, isLast: true } }
  }
  try {
    return checkValue(text, JSON.parse(text), element)
  } catch (error) {
    if (!isWhole || element.onLine) return { problem: await findFault(text, error, element) }
    // A word or a number may be wrong for ending there: what ends it belongs to the fault.
    const behind = await source.read({ start: end, end: end + 1 })
    const longer = text + behind.toString('latin1')
    return { problem: await findFault(longer, failureOf(longer) ?? error, element) }
  }
}

function failureOf(text: string): unknown {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error
  }
}

/** Undefined where the bytes are no UTF-8. Nothing is left out, a byte order mark neither. */
export function decode(bytes: Buffer, isCut = false): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: isCut,
    })
  } catch {
    return undefined
  }
}

export function notUtf8({ line, column }: LineAndColumn): string {
  return `expected UTF-8, found another encoding (save the file as UTF-8), at line ${line}, column ${column}`
}

function checkValue(text: string, value: unknown, element: Element): CheckedSeed {
  const kind = kindOf(value)
  if (typeof value !== 'object' || value === null || kind !== 'an object') {
    return problemAt(element, element.start, `expected a JSON object, found ${kind}`)
  }
  if (isDeeper(value, deepestSeed)) {
    const words = `expected at most ${deepestSeed} objects and lists in one another, found more`
    return problemAt(element, element.start, words)
  }
  return { seed: { text, value } }
}

/** Goes no deeper than that itself. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1))
}

function problemAt({ number }: Element, offset: number, words: string): { problem: SeedProblem } {
  const tell = ({ line, column }: LineAndColumn) =>
    `element ${number}: ${words}, at line ${line}, column ${column}`
  return { problem: { offset, tell, isLast: false } }
}

async function findFault(text: string, failure: unknown, element: Element): Promise<SeedProblem> {
  const { number, start, end, onLine } = element
  const expected = `element ${number}: expected a JSON object${onLine ? ' on one line' : ''}`
  const place = await locateJsonProblem(text, failure)
  if (!place) {
    const tell = ({ line, column }: LineAndColumn) =>
      `${expected}, found a text that is not valid JSON and starts at line ${line}, column ${column}`
    return { offset: start, tell, isLast: !onLine }
  }
  const rest = text.slice(place.offset, place.offset + 2)
  const isEarlyEnd = rest === ''
  return {
    offset: isEarlyEnd ? end : start + Buffer.byteLength(text.slice(0, place.offset)),
    tell: (where) => `${expected}, found ${describeStop(rest, where)}`,
    // What follows an object that goes on behind its line is the rest of it.
    isLast: !onLine || isEarlyEnd,
  }
}
