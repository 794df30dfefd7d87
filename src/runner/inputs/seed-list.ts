/** Reads a list of seeds: a JSON array of objects, or one JSON object per line. */
import { createHash } from 'node:crypto'
import type { BatchSeed, SeedList } from '../../execution/batch/batch.ts'
import { isFlat, parseShown, textOf, type Json } from '../../messages/json.ts'
import { readParts, type JsonPart } from './json-parts.ts'
import { describeFault, describePlace, findJsonFault, kindAt } from './json-problem.ts'
import { remedy } from './seed.ts'
import { changed, maxProblems, quote, refuse, settingText } from './text.ts'

export const maxSeeds = 10_000
const expectedArray = 'expected a JSON array of objects'

/**
 * Reads a list of seeds. A large text takes seconds, so the function pauses to let signals arrive.
 * `text`: the list without a byte order mark. `lines`: true if one object per line is also
 * accepted.
 */
export async function readSeedList(
  text: string,
  { lines }: { lines: boolean },
): Promise<SeedList | { problems: string[]; count: number }> {
  const start = text.search(/[^ \t\r\n]|$/)
  const first = text[start]
  const reader = new SeedListReader(text)
  if (first === '[') await reader.readArray()
  else if (lines && (first === undefined || objectOnLine.test(text))) await reader.readLines()
  else {
    const either = lines ? ', or one JSON object per line' : ''
    reader.problems.push(() => `${expectedArray}${either}, found ${describeOther(text, start)}`)
  }
  const { seeds, problems } = reader
  if (problems.length === 0) return { seeds, total: seeds.length }
  const shown = problems.slice(0, maxProblems).map((describe) => describe())
  return { problems: shown, count: problems.length }
}

const objectOnLine = /^[ \t]*\{/m

/** Describes a text that is not a list of seeds. */
function describeOther(text: string, start: number): string {
  const end = findJsonFault(text)
  // If several objects follow each other, the first syntax error is at the second object.
  const isObject = text[start] === '{' && findJsonFault(text.slice(0, end)) === undefined
  if (isObject) return 'an object; give one object per line in seeds-file instead'
  return end === undefined ? kindAt(text, start) : describeFault(text, start)
}

/** How long reading may continue without a pause in which signals arrive, in milliseconds. */
const maxTurn = 50

class Turns {
  #began = performance.now()

  async next(): Promise<void> {
    if (performance.now() - this.#began < maxTurn) return
    await new Promise(setImmediate)
    this.#began = performance.now()
  }
}

/** Returns the seeds of a shard. Each seed keeps its number in the whole list. */
export function takeShard({ seeds, total }: SeedList, shard: Shard | undefined): SeedList {
  if (!shard) return { seeds, total }
  return { seeds: seeds.filter(({ index }) => index % shard.total === shard.index), total }
}

class SeedListReader {
  readonly seeds: BatchSeed[] = []
  /**
   * Each function describes one problem. A function is called only if the problem is shown, because
   * finding the line of a problem means reading the text again.
   */
  readonly problems: (() => string)[] = []
  readonly #text: string
  readonly #turns = new Turns()
  readonly #occurrences = new Map<string, number>()
  /** The number of list elements read so far, including invalid elements. */
  #count = 0

  constructor(text: string) {
    this.#text = text
  }

  async readArray(): Promise<void> {
    const elements = readParts(this.#text)
    let next = elements.next()
    for (; next.done !== true; next = elements.next()) {
      this.#take(next.value, `element ${this.#count + 1}: `)
      await this.#turns.next()
    }
    const fault = next.value
    if (fault === undefined) return
    this.problems.push(() => `${expectedArray}, found ${describeFault(this.#text, fault)}${remedy}`)
  }

  async readLines(): Promise<void> {
    let isInObject = false
    for (const { index, 0: line } of this.#text.matchAll(/[^\r\n]+/g)) {
      const start = line.search(/[^ \t]/)
      if (start === -1) continue
      // Skips the lines after an incomplete object, because they belong to that object.
      if (isInObject && line[start] !== '{') continue
      const fault = findJsonFault(line)
      if (fault === undefined) this.#take({ text: line.trim(), start: index + start }, '')
      else {
        this.#count++
        this.problems.push(() => {
          const before = this.#text.slice(0, index + line.length)
          return `expected a JSON object on one line, found ${describeFault(before, index + fault)}`
        })
      }
      isInObject = fault === line.length
      if (this.#count > maxSeeds) return
      await this.#turns.next()
    }
  }

  /** Adds a seed. For an invalid element, adds a problem whose text begins with `place`. */
  #take({ text, start }: JsonPart, place: string): void {
    this.#count++
    if (this.#count > maxSeeds) this.#refuseMore()
    else if (text.startsWith('{')) this.#add(text)
    else {
      const expected = `${place}expected a JSON object, found ${kindAt(this.#text, start)}`
      this.problems.push(() => `${expected}, ${describePlace(this.#text, start)}`)
    }
  }

  #add(text: string): void {
    // The first 32 hexadecimal digits are 128 bits of the hash.
    const key = createHash('sha256').update(text).digest('hex').slice(0, 32)
    const occurrence = this.#occurrences.get(key) ?? 0
    this.#occurrences.set(key, occurrence + 1)
    this.seeds.push({ index: this.seeds.length, text, label: undefined, key, occurrence })
  }

  #refuseMore(): void {
    if (this.#count > maxSeeds + 1) return
    const expected = `expected at most ${maxSeeds.toLocaleString('en')} seeds`
    this.problems.push(() => `${expected}, found more; split the list over several steps`)
  }
}

/** Adds labels to seeds. `pointer`: a member's name, or a JSON Pointer (`/a/b`, RFC 6901). */
export async function labelSeeds(
  seeds: readonly BatchSeed[],
  pointer: string,
): Promise<BatchSeed[]> {
  const turns = new Turns()
  const labelled: BatchSeed[] = []
  for (const seed of seeds) {
    labelled.push({ ...seed, label: labelOf(seed.text, pointer) })
    await turns.next()
  }
  return labelled
}

/** Returns the names of the members on the path from the seed to the label. */
function namesIn(pointer: string): string[] {
  if (!pointer.startsWith('/')) return [pointer]
  // The order of the replacements matters, because `~01` must become `~1`.
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * The maximum length of a label, in characters. A longer label is ignored. It is not cut, because
 * redaction could miss a secret at the cut.
 */
export const maxLabelLength = 1000

/** Returns the label of a seed, or undefined if the value at the pointer cannot be a label. */
export function labelOf(seed: string, pointer: string): string | undefined {
  let found = parseShown(seed, (text) => text)
  for (const name of namesIn(pointer)) {
    const parts = found !== undefined && !isFlat(found) ? Object.entries<Json>(found) : []
    found = new Map(parts).get(name)
  }
  if (found === undefined || found === null || !isFlat(found)) return undefined
  const label = textOf(found)
  return label.length <= maxLabelLength ? label : undefined
}

/** A part of a list of seeds: every `total`-th seed, beginning with the seed at `index`. */
export interface Shard {
  index: number
  total: number
}

/** Reads a shard in the form `${{ strategy.job-index }}/${{ strategy.job-total }}`. */
export const shardInput = changed(settingText, (text, context): Shard => {
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index), total: Number(total) }
  if (Number.isSafeInteger(shard.total) && shard.index < shard.total) return shard
  return refuse(
    context,
    `expected index/total such as 0/4, with the index from 0 and below the total, found ${quote(text)}`,
  )
})
