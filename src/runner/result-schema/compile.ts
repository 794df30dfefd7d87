/** Makes the check of results from a JSON Schema of draft 2020-12, or says what is wrong with it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'
import { describeError, valueAt, withoutRepetitions } from './describe-errors.ts'
import {
  wholeProblem,
  type SchemaProblem,
  type SchemaProblems,
} from '../../execution/result-problems.ts'

/** Throws where a value cannot be checked, such as with a schema that refers to itself without end. */
export interface ResultSchema {
  /** Stops at the first problem: the results that match are checked no further. */
  findFirst(value: unknown): SchemaProblems | undefined
  /** All of them, for a value that has some. */
  findAll(value: unknown): SchemaProblems | undefined
}

export type Compiled = { schema: ResultSchema } | { problems: SchemaProblems }

export const maxProblems = 20

/**
 * Characters. Code that stops at the first problem is nested by the number of parts, and the time
 * for that grows with its square: 3,000 properties (160 kB) took 19 s, and 1 s where all are found.
 */
const maxNested = 32_768

const draft = 'https://json-schema.org/draft/2020-12/schema'
const vocabularies = [
  'core',
  'applicator',
  'unevaluated',
  'validation',
  'meta-data',
  'format-annotation',
  'content',
].map((name) => `https://json-schema.org/draft/2020-12/meta/${name}`)

const options = {
  // What its strict mode finds is found below, all at once and each in its place; the rest of that
  // mode refuses ordinary schemas, such as several types, or `required` without `properties`.
  strict: false,
  strictNumbers: true,
  // 19.99 is a multiple of 0.01, and divided by it 1998.9999999999998: decimals that count.
  multipleOfPrecision: 6,
  // Without it a name such as `toString` is there in every object.
  ownProperties: true,
  formats: fullFormats,
  // Takes longer than it saves.
  code: { optimize: false },
  // It prints to the console.
  logger: false,
} as const

/** `given`: parsed JSON. */
export function compileSchema(given: unknown): Compiled {
  const problems =
    findDraftProblem(given) ??
    findUncheckedName(given) ??
    findProblems(given) ??
    findReferenceProblem(given)
  if (problems) return { problems }
  const schema = given as object
  try {
    const isLarge = JSON.stringify(schema).length > maxNested
    const first = compile(schema, isLarge)
    let all: ValidateFunction | undefined
    return {
      schema: {
        findFirst: (value) => check(first, value),
        findAll: (value) => check((all ??= compile(schema, true)), value),
      },
    }
  } catch (error) {
    return { problems: describeCompileError(error, given) }
  }
}

function compile(schema: object, allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({ ...options, allErrors, validateSchema: false })
  // A keyword of the draft that ajv resolves, and would have declared.
  ajv.addKeyword('$anchor')
  return ajv.compile(schema)
}

function check(validate: ValidateFunction, value: unknown): SchemaProblems | undefined {
  if (validate(value)) return undefined
  const errors = withoutRepetitions(validate.errors ?? [])
  const shown = errors.slice(0, maxProblems).map((error) => describeError(error, value))
  return { problems: shown, count: errors.length }
}

function findDraftProblem(schema: unknown): SchemaProblems | undefined {
  if (typeof schema !== 'object' || schema === null || !('$schema' in schema)) return undefined
  const { $schema: named } = schema
  if (typeof named === 'string' && named.replace(/#$/, '') === draft) return undefined
  const expected = `expected "${draft}"; leave it out where nothing depends on an older draft, else convert the schema (items with a list is prefixItems now, definitions are $defs)`
  const problem = { place: '/$schema', expected, found: JSON.stringify(named).slice(0, 200) }
  return { problems: [problem], count: 1 }
}

/**
 * The draft's own schema of schemas, and what it leaves open: names that no keyword has, formats that
 * nothing checks, patterns that are no regular expressions. Through `$dynamicAnchor` it holds for
 * each schema within the schema.
 */
function findProblems(schema: unknown): SchemaProblems | undefined {
  const ajv = new Ajv2020({ ...options, allErrors: true })
  const keywords = [draft, ...vocabularies].flatMap((id) => {
    const described = ajv.getSchema(id)?.schema as { properties?: object } | undefined
    return Object.keys(described?.properties ?? {})
  })
  const validate = ajv.compile({
    $id: 'https://run-automation.invalid/schema',
    $dynamicAnchor: 'meta',
    $ref: draft,
    propertyNames: { anyOf: [{ enum: keywords }, { pattern: '^x-' }] },
    properties: {
      format: { enum: Object.keys(fullFormats) },
      pattern: { format: 'regex' },
      patternProperties: { propertyNames: { format: 'regex' } },
    },
  })
  try {
    if (validate(schema)) return undefined
  } catch (error) {
    return describeCompileError(error, schema)
  }
  const all = withoutRepetitions(validate.errors ?? [])
  // The schema of schemas describes some keywords by `anyOf`; the part that fails says more.
  const errors = all.filter(({ keyword }) => keyword !== 'anyOf' || all.length === 1)
  const problems = errors.slice(0, maxProblems).map((error): SchemaProblem => {
    const { keyword, schemaPath, params } = error
    const problem = describeError(error, schema)
    if (keyword !== 'propertyNames') return problem
    const name = JSON.stringify((params as { propertyName: string }).propertyName.slice(0, 100))
    const isKeyword = schemaPath === '#/propertyNames'
    const expected = isKeyword
      ? `unknown keyword ${name} (one of your own begins with x-)`
      : `${name} is not a regular expression`
    return { ...problem, expected }
  })
  return { problems, count: errors.length }
}

function describeCompileError(error: unknown, schema: unknown): SchemaProblems {
  if (error instanceof RangeError)
    return wholeProblem(
      'it is nested too deeply, or has too many parts; describe less of the result, such as what the next steps use',
    )
  const message = messageOf(error)
  // "can't resolve reference #/$defs/row from id #"
  const [, reference] = /^can't resolve reference (.*) from id /s.exec(message) ?? []
  const place =
    reference === undefined
      ? undefined
      : placeOf(schema, (name, member) => name === '$ref' && member === reference)
  if (place === undefined) return wholeProblem(message)
  return unfoundReference(place, reference)
}

function unfoundReference(place: string, reference: unknown): SchemaProblems {
  const expected = 'expected a reference to a part of this schema (nothing is fetched)'
  return { problems: [{ place, expected, found: JSON.stringify(reference) }], count: 1 }
}

/** What ajv takes for a reference to the schema as a whole, and what it follows without end. */
function findReferenceProblem(schema: unknown): SchemaProblems | undefined {
  let reference: unknown
  const place = placeOf(schema, (name, member) => {
    reference = member
    if (name === '$ref') return leadsRound(schema, member)
    return name === '$dynamicRef' && typeof member === 'string' && !leadsTo(schema, member)
  })
  if (place === undefined) return undefined
  if (!place.endsWith('/$ref')) return unfoundReference(place, reference)
  const expected = 'expected a reference that does not lead back to itself'
  return { problems: [{ place, expected, found: JSON.stringify(reference) }], count: 1 }
}

/** Through references alone, so that each of them is about the same value. */
function leadsRound(schema: unknown, reference: unknown): boolean {
  const seen = new Set<unknown>()
  let next = reference
  while (typeof next === 'string' && /^#(?:\/|$)/.test(next)) {
    if (seen.has(next)) return true
    seen.add(next)
    next = valueAt(schema, `${fragmentOf(next)}/$ref`)
  }
  return false
}

function leadsTo(schema: unknown, reference: string): boolean {
  const fragment = fragmentOf(reference)
  if (fragment === undefined) return false
  if (fragment === '' || fragment.startsWith('/')) return valueAt(schema, fragment) !== undefined
  const isAnchor = (name: string, member: unknown) =>
    (name === '$dynamicAnchor' || name === '$anchor') && member === fragment
  return placeOf(schema, isAnchor) !== undefined
}

/** Undefined where an escape is malformed. */
function fragmentOf(reference: string): string | undefined {
  try {
    return decodeURI(reference.replace(/^#/, ''))
  } catch {
    return undefined
  }
}

/** What ajv leaves out of `properties` without a word. */
function findUncheckedName(schema: unknown): SchemaProblems | undefined {
  const place = placeOf(schema, (name) => name === '__proto__')
  if (place === undefined) return undefined
  const expected = 'a member of this name cannot be checked'
  return { problems: [{ place, expected, found: undefined }], count: 1 }
}

/** The JSON Pointer of the first member that is looked for. */
function placeOf(
  part: unknown,
  isWanted: (name: string, member: unknown) => boolean,
): string | undefined {
  // Without recursion: a schema may be nested more deeply than calls may be.
  const open: { part: unknown; place: string }[] = [{ part, place: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.part !== 'object' || next.part === null) continue
    for (const [name, member] of Object.entries(next.part)) {
      const place = `${next.place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (isWanted(name, member)) return place
      open.push({ part: member, place })
    }
  }
  return undefined
}
