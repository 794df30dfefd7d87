/** Reads a list of seeds, once, and keeps where each one is. */
import type { SeedList } from '../../execution/batch/seed-list.ts'
import { describeStop, type LineAndColumn } from '../inputs/json-problem.ts'
import { ArrayScanner } from './array-scanner.ts'
import type { ByteRange, ByteSource } from './byte-source.ts'
import { labelOf, type LabelPath } from './label.ts'
import { LineScanner } from './line-scanner.ts'
import { placesOf } from './place.ts'
import { byteOf, isSpace, type ListFault, type Scanner } from './scanner.ts'
import { checkSeed, decode, notUtf8, type SeedProblem } from './seed-check.ts'
import { FoundSeeds } from './found-seeds.ts'

export interface ListForm {
  /** Whether one object a line is a list too, besides a JSON array. */
  lines: boolean
  label: LabelPath | undefined
}

export const mostSeeds = 10_000

/** @throws UnreadableFile */
export async function readSeeds(
  source: ByteSource,
  form: ListForm,
): Promise<SeedList | { problems: string[] }> {
  try {
    const begin = await findBegin(source)
    const seeds = new FoundSeeds(source)
    const problems = await findSeeds(source, form, begin, seeds)
    if (problems.length === 0) return seeds
    const offsets = problems.map(({ offset }) => offset)
    const places = await placesOf(source, offsets, begin.text)
    return { problems: places.flatMap((place, index) => problems[index]?.tell(place) ?? []) }
  } finally {
    // Its file is opened again for the first text that is asked for.
    await source.close()
  }
}

interface Begin {
  /** Behind a byte order mark. */
  text: number
  /** Of what is not white space. */
  offset: number
  byte: number | undefined
}

async function findBegin(source: ByteSource): Promise<Begin> {
  const text = (await source.read({ start: 0, end: 3 })).toString() === '\uFEFF' ? 3 : 0
  let offset = text
  for await (const chunk of source.chunks(text)) {
    const at = chunk.findIndex((byte) => !isSpace(byte))
    if (at !== -1) return { text, offset: offset + at, byte: chunk[at] }
    offset += chunk.length
  }
  return { text, offset, byte: undefined }
}

async function findSeeds(
  source: ByteSource,
  { lines, label }: ListForm,
  { offset, byte }: Begin,
  seeds: FoundSeeds,
): Promise<SeedProblem[]> {
  const isArray = byte === byteOf.openBracket
  if (!isArray && (!lines || byte !== byteOf.openBrace)) {
    return [await noList(source, offset, lines)]
  }
  const scanner = isArray ? new ArrayScanner() : new LineScanner()
  const problems: SeedProblem[] = []
  let number = 0
  for await (const { isWhole, ...range } of rangesOf(source, scanner, offset)) {
    if (++number > mostSeeds) return [...problems, tooMany(range.start)]
    const element = { ...range, number, onLine: !isArray }
    const checked = await checkSeed(source, element, isWhole)
    if ('problem' in checked) {
      problems.push(checked.problem)
      if (checked.problem.isLast) return problems
    } else {
      const { text, value } = checked.seed
      seeds.add(range, text, label && labelOf(text, value, label))
    }
  }
  if (scanner.fault) problems.push(await tellFault(source, scanner.fault, number))
  return problems
}

async function* rangesOf(
  source: ByteSource,
  scanner: Scanner,
  from: number,
): AsyncGenerator<ByteRange & { isWhole: boolean }> {
  let offset = from
  for await (const chunk of source.chunks(from)) {
    for (const range of scanner.scan(chunk, offset)) yield { ...range, isWhole: true }
    offset += chunk.length
    if (scanner.fault) return
  }
  // The last line is as whole as the others; an element of an array is not, when it ends there.
  const isWhole = scanner instanceof LineScanner
  for (const range of scanner.finish(offset)) yield { ...range, isWhole }
}

async function noList(source: ByteSource, offset: number, lines: boolean): Promise<SeedProblem> {
  const expected = `expected a JSON array of objects${lines ? ', or one JSON object a line' : ''}`
  const bytes = await source.read({ start: offset, end: offset + 4 })
  const isOver = bytes.length === 0
  const rest = decode(bytes, true)
  return {
    offset,
    tell: (place) => {
      if (rest === undefined) return notUtf8(place)
      if (isOver) return `${expected}, found nothing; an empty list is []`
      return `${expected}, found ${describeStop(rest, place)}`
    },
    isLast: true,
  }
}

function tooMany(offset: number): SeedProblem {
  const words = `expected at most ${mostSeeds.toLocaleString('en')} seeds, found more; split the list over several steps`
  return { offset, tell: () => words, isLast: true }
}

async function tellFault(
  source: ByteSource,
  { offset, expected }: ListFault,
  found: number,
): Promise<SeedProblem> {
  const rest = decode(await source.read({ start: offset, end: offset + 4 }), true)
  const words = {
    'an element': `element ${found + 1}: expected a JSON object`,
    'a comma or the end': `behind element ${found}: expected a comma or the end of the array`,
    'nothing more': 'behind the array: expected nothing more',
  }[expected]
  const tell = (place: LineAndColumn) =>
    rest === undefined ? notUtf8(place) : `${words}, found ${describeStop(rest, place)}`
  return { offset, tell, isLast: true }
}
