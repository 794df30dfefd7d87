/** Finds the problems of a schema, and returns the schema as ajv needs it. */
import type { SchemaProblem } from '../../execution/result-problems.ts'
import { describeRefusal, isObject, keywordOf, type Keyword } from './keywords.ts'
import { findPatternProblem } from './pattern.ts'
import { problemAt } from './problems.ts'

type Schema = boolean | Record<string, unknown>

export interface ReadSchema {
  /** The schema without notes such as `title`. All references point to `#/$defs/<number>`. */
  schema: Schema
  /** The member names that the schema lists in `properties`. */
  names: ReadonlySet<string>
  problems: readonly SchemaProblem[]
}

export function readSchema(given: unknown): ReadSchema {
  const reader = new SchemaReader()
  const root = reader.read(given, '')
  const targets = reader.resolveReferences()
  const schema =
    typeof root === 'object' ? { ...root, $defs: Object.fromEntries(targets.entries()) } : root
  return { schema, names: reader.names, problems: reader.problems }
}

class SchemaReader {
  readonly names = new Set<string>()
  readonly problems: SchemaProblem[] = []
  /** The root schema and all schemas inside it. The keys are JSON Pointers. */
  readonly #parts = new Map<string, Schema>()
  readonly #references: { place: string; reference: string; part: { $ref?: string } }[] = []

  read(given: unknown, place: string): Schema {
    const part: Schema = typeof given === 'boolean' ? given : {}
    this.#parts.set(place, part)
    if (typeof part === 'boolean') return part
    if (!isObject(given)) this.#add(place, 'expected an object or a boolean', given)
    else
      for (const [name, value] of Object.entries(given)) this.#readKeyword(part, name, value, place)
    return part
  }

  #readKeyword(part: Record<string, unknown>, name: string, value: unknown, place: string): void {
    const at = below(place, name)
    const keyword = keywordOf(name, place === '')
    const problem = keyword ? keyword.findProblem(value) : describeRefusal(name)
    if (problem !== undefined) this.#add(at, problem, keyword && value)
    else if (name === '$ref') this.#references.push({ place: at, reference: String(value), part })
    else if (keyword && keyword.kind !== 'note')
      part[name] = this.#readValue(keyword, name, value, at)
  }

  #readValue({ kind }: Keyword, name: string, value: unknown, place: string): unknown {
    if (kind === 'schema') return this.read(value, place)
    if (kind === 'list' && Array.isArray(value)) {
      return value.map((each, index) => this.read(each, below(place, String(index))))
    }
    if (!isObject(value)) return value
    for (const member of Object.keys(value)) this.#examineName(name, member, place)
    if (kind !== 'map') return value
    const entries = Object.entries(value).map(
      ([member, each]) => [member, this.read(each, below(place, member))] as const,
    )
    return Object.fromEntries(entries)
  }

  /** Checks one member name of an object that is the value of a keyword such as `properties`. */
  #examineName(keyword: string, member: string, place: string): void {
    if (keyword === 'properties') this.names.add(member)
    // ajv ignores a member with the name `__proto__` and reports no error.
    if (member === '__proto__') {
      this.#add(place, 'the name "__proto__" cannot be checked: leave it out')
    }
    const problem = keyword === 'patternProperties' ? findPatternProblem(member) : undefined
    if (problem !== undefined) this.#add(below(place, member), problem, member)
  }

  /** Returns the schemas that references point to. Sets each `$ref` to the index of its schema. */
  resolveReferences(): Schema[] {
    const numbers = new Map<Schema, number>()
    for (const { place, reference, part } of this.#references) {
      const named = placeOf(reference)
      const target = named === undefined ? undefined : this.#parts.get(named)
      if (target === undefined) this.#add(place, noTarget, reference)
      else {
        const number = numbers.get(target) ?? numbers.size
        numbers.set(target, number)
        part.$ref = `#/$defs/${number}`
      }
    }
    return [...numbers.keys()]
  }

  #add(place: string, expected: string, found?: unknown): void {
    this.problems.push(problemAt(place, expected, found))
  }
}

const noTarget =
  'expected a reference to a schema within this one, such as #/$defs/row (nothing is fetched); it leads to none'

/** Returns the JSON Pointer of a reference such as `#/$defs/row`. Undefined for any other text. */
function placeOf(reference: string): string | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return undefined
  }
}

function below(place: string, name: string): string {
  return `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
