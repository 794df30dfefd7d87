/** Reads a list of seeds: a JSON array of objects, or one JSON object a line. */
import { createHash } from 'node:crypto'
import type { BatchSeed, SeedList } from '../../execution/batch/batch.ts'
import { readParts, type JsonPart } from './json-parts.ts'
import { describeFault, findJsonFault, kindAt, PlaceFinder } from './json-problem.ts'
import { changed, quote, refuse, settingText } from './text.ts'

export interface ListForm {
  /** Whether one object a line is a list too, besides a JSON array. */
  lines: boolean
  label: LabelPath | undefined
}

const maxSeeds = 10_000
/** Milliseconds of reading before anything else gets its turn. */
const maxTurn = 50

/** `text`: without a byte order mark. */
export function readSeedList(text: string, form: ListForm): SeedList | { problems: string[] } {
  const reading = readElements(text, form)
  let next = reading.next()
  while (next.done !== true) next = reading.next()
  return next.value
}

/** The same for a text of any size, which takes seconds: signals are heard meanwhile. */
export async function readLargeSeedList(
  text: string,
  form: ListForm,
): Promise<ReturnType<typeof readSeedList>> {
  const reading = readElements(text, form)
  let turnBegan = performance.now()
  let next = reading.next()
  for (; next.done !== true; next = reading.next()) {
    if (performance.now() - turnBegan < maxTurn) continue
    await new Promise(setImmediate)
    turnBegan = performance.now()
  }
  return next.value
}

/** Yields after each element. */
function* readElements(
  text: string,
  form: ListForm,
): Generator<undefined, ReturnType<typeof readSeedList>> {
  const start = text.search(/[^ \t\r\n]|$/)
  const first = text[start]
  const reader = new SeedListReader(text, form.label)
  if (first === '[') yield* reader.readArray(start)
  else if (form.lines && (first === '{' || first === undefined)) yield* reader.readLines()
  else reader.refuse(`expected ${describeForm(form)}`, start)
  const { seeds, problems } = reader
  return problems.length > 0 ? { problems } : { seeds, total: seeds.length }
}

function describeForm({ lines }: ListForm): string {
  return `a JSON array of objects${lines ? ', or one JSON object a line' : ''}`
}

/** The part of a list that belongs to a shard, with the list's own numbers. */
export function takeShard({ seeds, total }: SeedList, shard: Shard | undefined): SeedList {
  return { seeds: seeds.filter(({ index }) => isInShard(index, shard)), total }
}

class SeedListReader {
  readonly seeds: BatchSeed[] = []
  readonly problems: string[] = []
  readonly #text: string
  readonly #label: LabelPath | undefined
  readonly #places: PlaceFinder
  readonly #occurrences = new Map<string, number>()
  /** Of the elements so far, those with problems included. */
  #count = 0
  #endOfLast = 0

  constructor(text: string, label: LabelPath | undefined) {
    this.#text = text
    this.#label = label
    this.#places = new PlaceFinder(text)
  }

  *readArray(start: number): Generator<undefined, void> {
    this.#endOfLast = start + 1
    const elements = readParts(this.#text)
    let next = elements.next()
    for (; next.done !== true; next = elements.next()) {
      this.#take(next.value)
      yield
    }
    if (next.value !== undefined) this.refuse(this.#expectedAt(next.value), next.value)
  }

  *readLines(): Generator<undefined, void> {
    for (const { index, 0: line } of this.#text.matchAll(/[^\r\n]+/g)) {
      const start = line.search(/[^ \t]/)
      if (start === -1) continue
      const fault = findJsonFault(line)
      if (fault === undefined) this.#take({ text: line.trim(), start: index + start })
      else {
        const expected = `element ${++this.#count}: expected a JSON object on one line`
        this.refuse(expected, index + fault, index + line.length)
        // What follows an object that goes on after its line is the rest of it.
        if (fault === line.length) return
      }
      if (this.#count > maxSeeds) return
      yield
    }
  }

  /** What an array should have where it stops being one. */
  #expectedAt(offset: number): string {
    const between = this.#text.slice(this.#endOfLast, offset).trim()
    if (between === ']') return 'after the array: expected end of input'
    return between === '' && this.#count > 0
      ? `after element ${this.#count}: expected a comma or the end of the array`
      : `element ${this.#count + 1}: expected a JSON object`
  }

  refuse(expected: string, offset: number, end?: number): void {
    const where = this.#places.describe(offset)
    const found = describeFault(this.#text.slice(0, end), offset, where)
    this.problems.push(`${expected}, found ${found}`)
  }

  /** An element that is sound JSON. */
  #take({ text, start }: Omit<JsonPart, 'name'>): void {
    this.#count++
    this.#endOfLast = start + text.length
    if (this.#count > maxSeeds) this.#refuseMore()
    else if (text.startsWith('{')) this.#add(text)
    else {
      const found = `${kindAt(this.#text, start)}, ${this.#places.describe(start)}`
      this.problems.push(`element ${this.#count}: expected a JSON object, found ${found}`)
    }
  }

  #add(text: string): void {
    // 128 bits of the text's hash, as of a step's identity.
    const key = createHash('sha256').update(text).digest('hex').slice(0, 32)
    const occurrence = this.#occurrences.get(key) ?? 0
    this.#occurrences.set(key, occurrence + 1)
    const label = this.#label && labelOf(text, this.#label)
    this.seeds.push({ index: this.seeds.length, text, label, key, occurrence })
  }

  #refuseMore(): void {
    if (this.#count > maxSeeds + 1) return
    this.problems.push(
      `expected at most ${maxSeeds.toLocaleString('en')} seeds, found more; split the list over several steps`,
    )
  }
}

/** The members to go through, from the seed to the label. */
export type LabelPath = readonly string[]

/** The name of a member, or a JSON Pointer (RFC 6901), which begins with a slash. */
export const labelPath = changed(settingText, (text, context): LabelPath => {
  if (!text.startsWith('/')) return [text]
  if (!/~(?![01])/.test(text)) return text.slice(1).split('/').map(unescape)
  return refuse(
    context,
    `expected a member's name or a JSON Pointer, in which ~0 stands for ~ and ~1 for /, found ${quote(text)}`,
  )
})

/** In this order, so that `~01` becomes `~1`. */
function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/**
 * A longer text names nothing. It is not cut: a secret at the cut would no longer be known as one
 * where the label is shown.
 */
const maxLabelLength = 1000

/** In quotes, each character as an escape. */
const maxWrittenLength = 6 * maxLabelLength + 2

/** The label of a seed whose text is JSON; undefined where the path leads to no text or number. */
export function labelOf(seed: string, path: LabelPath): string | undefined {
  let found: string | undefined = seed
  for (const name of path) found = found === undefined ? undefined : findPart(found, name)
  if (found === undefined || found.length > maxWrittenLength || /^[[{n]/.test(found)) {
    return undefined
  }
  // A number as it is written: `1.0` and `12345678901234567890` stay what they are.
  const label = found.startsWith('"') ? String(JSON.parse(found)) : found
  return label.length <= maxLabelLength ? label : undefined
}

/** An element by its index, or a member by its name: of members with the same name the last. */
function findPart(text: string, wanted: string): string | undefined {
  let found: string | undefined
  let index = 0
  for (const { name, text: part } of readParts(text)) {
    const isWanted = name === undefined ? String(index++) === wanted : isName(name, wanted)
    if (isWanted) found = part
  }
  return found
}

/** `written`: in quotes. Most names differ before they are parsed. */
function isName(written: string, name: string): boolean {
  return written.includes('\\') ? JSON.parse(written) === name : written === `"${name}"`
}

/** A part of a list: every `total`-th seed, beginning at `index`. */
export interface Shard {
  index: number
  total: number
}

/** As `strategy.job-index` and `strategy.job-total` give it. */
export const shardInput = changed(settingText, (text, context): Shard => {
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index), total: Number(total) }
  if (Number.isSafeInteger(shard.total) && shard.index < shard.total) return shard
  return refuse(
    context,
    `expected index/total such as 0/4, with the index from 0 and below the total, found ${quote(text)}`,
  )
})

/** `index`: a seed's place in the whole list. */
export function isInShard(index: number, shard: Shard | undefined): boolean {
  return shard === undefined || index % shard.total === shard.index
}
