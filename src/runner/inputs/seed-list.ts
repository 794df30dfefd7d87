/** Reads a list of seeds: a JSON array of objects, one JSON object per line, or CSV. */
import { createHash } from 'node:crypto'
import type { BatchSeed } from '../../execution/batch/batch-types.ts'
import { readParts, type JsonPart } from '../../messages/json-parts.ts'
import {
  adviseOnFault,
  describeFault,
  describePlace,
  findJsonFault,
  findOther,
  kindAt,
} from './json-problem.ts'
import { describeCount } from '../../messages/quantities.ts'
import type { CsvRow } from '../../messages/csv.ts'
import type { Inputs } from './inputs.ts'
import { anyText, InputProblem, maxInputProblems, quote } from './readings.ts'
import type { Source } from './seed.ts'

export const maxSeeds = 10_000
/** The maximum size of a file with a list of seeds, in bytes. */
export const maxListSize = 20 * 2 ** 20
const expectedArray = 'expected a JSON array of objects'
const example = '[{"city": "Bern"}, {"city": "Rome"}]'

/** Reads the inputs for the list of seeds. */
export async function readList(given: Inputs): Promise<readonly BatchSeed[]> {
  const [, table] = /\.(csv|tsv)$/i.exec(given.text('seeds-file')?.trim() ?? '') ?? []
  const { inline, fromFile, label } = await given.all({
    inline: () => given.long('seeds', (text) => readSeedList(text, 'inline')),
    fromFile: () =>
      given.file('seeds-file', maxListSize, (text) =>
        table === undefined ? readSeedList(text, 'file') : readCsvSeeds(text, /tsv/i.test(table)),
      ),
    only: () => given.notBoth('seeds', 'seeds-file', 'a batch takes one list'),
    label: () => given.optional('label', anyText),
  })
  if (given.text('seeds') === undefined && given.text('seeds-file') === undefined) {
    given.problem('seeds', 'neither seeds nor seeds-file was given; give one of the two')
  }
  const seeds = inline ?? fromFile ?? []
  if (label === undefined) return seeds
  return seeds.map((seed) => ({ ...seed, label: labelOf(seed.text, label) }))
}

/** Returns the seeds in a text without a byte order mark. A file may also have one object per line. */
export function readSeedList(text: string, source: Source): readonly BatchSeed[] {
  const start = text.search(/[^ \t\r\n]|$/)
  const first = text[start]
  const isFile = source === 'file'
  const reader = new SeedListReader(text)
  if (first === '[') reader.readArray(!isFile)
  else if (isFile && (first === undefined || objectOnLine.test(text))) reader.readLines()
  else {
    const either = isFile ? ', or one JSON object per line' : ''
    reader.problems.push(`${expectedArray}${either}, found ${describeOther(text, !isFile)}`)
  }
  return reader.done()
}

/**
 * Returns a seed for each row of a CSV file without a byte order mark. The heading has the names of
 * the members. All values are texts.
 */
export async function readCsvSeeds(text: string, isTsv: boolean): Promise<readonly BatchSeed[]> {
  const [opening] = /^\s*(?:\{|\[\s*[{\]]|<[!?a-z]+\b)/i.exec(text) ?? []
  if (opening !== undefined) {
    const found = opening.includes('<') ? 'HTML' : 'JSON'
    throw new InputProblem(`expected CSV or TSV, as its name says, found what looks like ${found}`)
  }
  const { readCsv } = await import('../../messages/csv.ts')
  const reader = new SeedListReader(text)
  let names: readonly string[] | undefined
  readCsv(text, isTsv, (row) => {
    reader.addRow(row, names)
    names ??= row.cells
    return row.fault === undefined && !reader.isOver
  })
  if (!names) reader.problems.push('expected a heading line, found an empty file')
  return reader.done()
}

const objectOnLine = /^[ \t]*\{/m

/** Describes a text that is not a list of seeds. */
function describeOther(text: string, isInline: boolean): string {
  const end = findJsonFault(text)
  // If several objects follow each other, the first syntax error is at the second object.
  const isObject = /^\s*\{/.test(text) && findJsonFault(text.slice(0, end)) === undefined
  if (isObject)
    return 'an object; put the seeds into [ and ], or give one object per line in seeds-file'
  const wanted = { opening: '[', example, fileInput: 'seeds-file', isInline } as const
  return findOther(text, wanted) ?? 'an array'
}

class SeedListReader {
  readonly seeds: BatchSeed[] = []
  readonly problems: string[] = []
  readonly #text: string
  readonly #occurrences = new Map<string, number>()
  /** The number of list elements read so far, including invalid elements. */
  #count = 0

  constructor(text: string) {
    this.#text = text
  }

  /** True if the rest of the list is not read: there are more problems, or seeds, than allowed. */
  get isOver(): boolean {
    return this.problems.length > maxInputProblems || this.#count > maxSeeds
  }

  /** @throws InputProblem if the list has problems. */
  done(): readonly BatchSeed[] {
    if (this.problems.length === 0) return this.seeds
    throw new InputProblem(this.problems)
  }

  readArray(isInline: boolean): void {
    const fault = readParts(this.#text, (element) => {
      this.#take(element, `element ${this.#count + 1}: `)
      return !this.isOver
    })
    if (fault === undefined || this.isOver) return
    const advice = adviseOnFault(this.#text, fault, example, isInline)
    this.problems.push(`${expectedArray}, found ${describeFault(this.#text, fault)}${advice}`)
  }

  readLines(): void {
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
        const found = describeFault(this.#text.slice(0, index + line.length), index + fault)
        const advice = adviseOnLine(line, fault)
        this.problems.push(`expected a JSON object on one line, found ${found}${advice}`)
      }
      isInObject = fault === line.length
      if (this.isOver) return
    }
  }

  /** Adds the seed of a row of a CSV file. The heading is the row without `names`. */
  addRow({ cells, start, fault }: CsvRow, names: readonly string[] | undefined): void {
    const found = fault ?? (names ? findRagged(cells, names) : findUnnamed(cells))
    if (found !== undefined) {
      const isWide = fault === undefined && names && cells.length > names.length
      const advice = isWide ? '; put a cell that contains a delimiter into double quotes' : ''
      const place = describePlace(this.#text, start)
      this.problems.push(`expected CSV, found ${found} ${place}${advice}`)
    } else if (names) {
      const members = names.map((name, at) => [name, cells[at]].map((text) => JSON.stringify(text)))
      this.#take({ text: `{${members.map((pair) => pair.join(': ')).join(', ')}}`, start }, '')
    }
  }

  /** Adds a seed. For an invalid element, adds a problem whose text begins with `place`. */
  #take({ text, start }: Pick<JsonPart, 'text' | 'start'>, place: string): void {
    this.#count++
    if (this.#count > maxSeeds) {
      const max = maxSeeds.toLocaleString('en')
      const advice = 'split the list over the jobs of a matrix'
      this.problems.push(`expected at most ${max} seeds, found more; ${advice}`)
    } else if (text.startsWith('{')) this.#add(text)
    else {
      const found = `${kindAt(this.#text, start)}, ${describePlace(this.#text, start)}`
      this.problems.push(`${place}expected a JSON object, found ${found}`)
    }
  }

  #add(text: string): void {
    // The first 32 hexadecimal digits are 128 bits of the hash.
    const key = createHash('sha256').update(text).digest('hex').slice(0, 32)
    const occurrence = this.#occurrences.get(key) ?? 0
    this.#occurrences.set(key, occurrence + 1)
    this.seeds.push({ number: this.seeds.length + 1, text, label: undefined, key, occurrence })
  }
}

/** Returns the advice for a line whose JSON has a syntax error at the offset `fault`, or ''. */
function adviseOnLine(line: string, fault: number): string {
  if (fault === line.length) return '; `jq -c` writes each object on one line'
  return line[fault] === ',' ? '; remove the comma after each object' : ''
}

/** Describes a row of a CSV file that has more or fewer cells than the heading. */
function findRagged({ length }: readonly string[], names: readonly string[]): string | undefined {
  if (length === names.length) return undefined
  return `${describeCount(length, 'cell')} for ${describeCount(names.length, 'name')}`
}

/** Describes the first column of a heading that has no name of its own. */
function findUnnamed(names: readonly string[]): string | undefined {
  const unnamed = names.findIndex((name, at) => !name.trim() || names.indexOf(name) < at)
  const name = names[unnamed]
  if (name === undefined) return undefined
  return name.trim() ? `a heading with ${quote(name)} twice` : `no name for column ${unnamed + 1}`
}

/**
 * The maximum length of a label, in characters. A longer label is ignored. It is not cut, because
 * redaction could miss a secret at the cut.
 */
export const maxLabelLength = 1000

/** Returns the label of a seed, or undefined if the value of the member cannot be a label. */
export function labelOf(seed: string, member: string): string | undefined {
  // If a name repeats, the last member counts, as in JSON.parse.
  const values: string[] = []
  readParts(seed, ({ name = '""', text }) => {
    if ((JSON.parse(name) as string) === member) values.push(text)
    return true
  })
  const value = values.at(-1)
  if (value === undefined || /^[{[n]/.test(value)) return undefined
  const label = value.startsWith('"') ? (JSON.parse(value) as string) : value
  return label.length <= maxLabelLength ? label : undefined
}
