/**
 * Reads a schema: finds what the draft's own schema of schemas leaves open, and returns the part of
 * it that ajv checks results by.
 */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'
import type { SchemaProblem } from '../../execution/result-problems.ts'
import { describeRefusal, kindOf, type Kind } from './keywords.ts'
import { problemAt } from './problem.ts'

export interface ReadSchema {
  /** The schema without notes. Each reference leads to a numbered member of the root's `$defs`. */
  schema: object | boolean
  /** The names of members that the schema mentions. */
  names: ReadonlySet<string>
  problems: readonly SchemaProblem[]
}

export function readSchema(given: unknown): ReadSchema {
  const reader = new SchemaReader()
  const root = reader.read(given, '')
  const targets = reader.resolveReferences()
  const schema =
    typeof root === 'object' && targets.length > 0
      ? { ...root, $defs: Object.fromEntries(targets.entries()) }
      : root
  return { schema, names: reader.names, problems: reader.problems }
}

class SchemaReader {
  readonly names = new Set<string>()
  readonly problems: SchemaProblem[] = []
  /** Each schema within the schema, by its place. */
  readonly #parts = new Map<string, object | boolean>()
  readonly #references: { place: string; reference: string; part: { $ref?: string } }[] = []

  /** A value that is no schema is a problem of the draft's own schema of schemas. */
  read(given: unknown, place: string): object | boolean {
    if (typeof given === 'boolean') this.#parts.set(place, given)
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given !== false
    const part: Record<string, unknown> = {}
    this.#parts.set(place, part)
    for (const [keyword, value] of Object.entries(given)) {
      const at = `${place}/${escapeName(keyword)}`
      const kind = kindOf(keyword, place === '')
      if (!kind) this.problems.push(problemAt(at, describeRefusal(keyword)))
      else if (keyword === '$ref') this.#addReference(at, value, part)
      else if (kind !== 'note') {
        const read = this.#readValue(kind, value, at)
        // They are compiled only if a reference leads to them.
        if (keyword !== '$defs' && keyword !== 'definitions') part[keyword] = read
        this.#examine(keyword, value, at)
      }
    }
    return part
  }

  #readValue(kind: Kind, value: unknown, place: string): unknown {
    if (kind === 'schema') return this.read(value, place)
    if (kind === 'list' && Array.isArray(value)) {
      return value.map((each, index) => this.read(each, `${place}/${index}`))
    }
    if (kind !== 'map' || typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(
      ([name, each]) => [name, this.read(each, `${place}/${escapeName(name)}`)] as const,
    )
    return Object.fromEntries(entries)
  }

  #examine(keyword: string, value: unknown, place: string): void {
    const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
    if (keyword === 'properties') for (const name of names) this.names.add(name)
    // ajv skips this name in silence.
    if (names.includes('__proto__')) {
      this.problems.push(problemAt(place, 'the name "__proto__" cannot be checked: leave it out'))
    }
    if (keyword === 'format' && typeof value === 'string' && !Object.hasOwn(fullFormats, value)) {
      const known = Object.keys(fullFormats).join(', ')
      this.problems.push(problemAt(place, `expected one of the formats ${known}`, value))
    }
    if (keyword === 'pattern') this.#examinePattern(value, place)
    if (keyword === 'patternProperties') {
      for (const name of names) this.#examinePattern(name, `${place}/${escapeName(name)}`)
    }
  }

  #examinePattern(pattern: unknown, place: string): void {
    const why = typeof pattern === 'string' ? findPatternProblem(pattern) : undefined
    if (why === undefined) return
    this.problems.push(problemAt(place, `expected a regular expression (${why})`, pattern))
  }

  #addReference(place: string, reference: unknown, part: object): void {
    if (typeof reference === 'string') this.#references.push({ place, reference, part })
  }

  /** Returns the schemas that references lead to, and lets each reference lead to its number. */
  resolveReferences(): (object | boolean)[] {
    const numbers = new Map<string, number>()
    for (const { place, reference, part } of this.#references) {
      const target = placeOf(reference)
      if (target === '') part.$ref = '#'
      else if (target !== undefined && this.#parts.has(target)) {
        const number = numbers.get(target) ?? numbers.size
        numbers.set(target, number)
        part.$ref = `#/$defs/${number}`
      } else {
        const expected =
          'expected a reference to a schema within this one, such as #/$defs/row (nothing is fetched); it leads to none'
        this.problems.push(problemAt(place, expected, reference))
      }
    }
    return [...numbers.keys()].map((target) => this.#parts.get(target) ?? true)
  }
}

/** The place that a reference names; undefined if the reference is no JSON Pointer. */
function placeOf(reference: string): string | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return undefined
  }
}

function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Why ajv cannot compile a pattern, which it does with the flag u. */
function findPatternProblem(pattern: string): string | undefined {
  if (isPattern(pattern)) return undefined
  const escapes = [...pattern.matchAll(/\\(.)/gsu)].map(([, character = '']) => character)
  const wrong = escapes.find((each) => /[^\p{L}\p{N}]/u.test(each) && !isPattern(`\\${each}`))
  if (wrong !== undefined && isPattern(pattern.replaceAll(`\\${wrong}`, wrong))) {
    return `"\\${wrong}" is not an escape: write "${wrong}"`
  }
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    return messageOf(error).split('/u: ').at(-1)
  }
  return undefined
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
