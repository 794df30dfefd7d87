/** Makes the check of results from a JSON Schema of draft 2020-12, or says what is wrong with it. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'
import {
  wholeProblem,
  type SchemaProblem,
  type SchemaProblems,
} from '../../execution/result-problems.ts'
import { describeError, withoutRepetitions } from './describe-errors.ts'
import { exactKeywords } from './exact-keywords.ts'
import { problemAt } from './problem.ts'
import { readSchema } from './read-schema.ts'

export type Compiled =
  /** Throws if a value cannot be checked, for example if the schema refers to itself without end. */
  { check: (value: unknown) => SchemaProblems | undefined } | { problems: SchemaProblems }

const maxProblems = 20

const draft = 'https://json-schema.org/draft/2020-12/schema'

const options = {
  // readSchema finds what the strict mode is for. The rest of that mode refuses ordinary schemas,
  // such as several types, or `required` without `properties`.
  strict: false,
  // Also the faster way: code that stops at the first problem is nested by the number of parts, and
  // took 19 s to compile for 3,000 properties.
  allErrors: true,
  verbose: true,
  // With it, no limit is checked for the number 1e400, which is read as Infinity.
  strictNumbers: false,
  // Without it, each object has a member `toString`.
  ownProperties: true,
  formats: fullFormats,
  // Takes longer than it saves.
  code: { optimize: false },
  // It prints to the console.
  logger: false,
} as const

/** `given`: parsed JSON. */
export function compileSchema(given: unknown): Compiled {
  try {
    const draftProblem = findDraftProblem(given)
    if (draftProblem) return { problems: asProblems([draftProblem]) }
    const { schema, names, problems } = readSchema(given)
    const all = [...findDraftErrors(given), ...problems]
    if (all.length > 0) return { problems: asProblems(all) }
    const validate = createAjv().compile(schema)
    return { check: (value) => check(validate, names, value) }
  } catch (error) {
    const why =
      error instanceof RangeError
        ? 'it is nested too deeply, has too many parts, or refers to itself without end; describe less of the result, such as what the next steps use'
        : messageOf(error)
    return { problems: wholeProblem(why) }
  }
}

function asProblems(problems: readonly SchemaProblem[]): SchemaProblems {
  return { problems: problems.slice(0, maxProblems), count: problems.length }
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ ...options, validateSchema: false })
  for (const keyword of exactKeywords) {
    ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword)
  }
  return ajv
}

function check(
  validate: ValidateFunction,
  names: ReadonlySet<string>,
  value: unknown,
): SchemaProblems | undefined {
  if (validate(value)) return undefined
  const errors = withoutRepetitions(validate.errors ?? [])
  const problems = errors
    .slice(0, maxProblems)
    .map((error) => describeError(error, namedPart(error.instancePath, names, value)))
  return { problems, count: errors.length }
}

/** The beginning of a place: indexes of lists, and names that the schema mentions. */
function namedPart(place: string, names: ReadonlySet<string>, value: unknown): string {
  const parts = place.split('/').slice(1)
  let current = value
  const end = parts.findIndex((part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const isData = !Array.isArray(current) && !names.has(name)
    current = (current as Readonly<Record<string, unknown>>)[name]
    return isData
  })
  return end === -1 ? place : ['', ...parts.slice(0, end)].join('/')
}

function findDraftProblem(schema: unknown): SchemaProblem | undefined {
  if (typeof schema !== 'object' || schema === null || !('$schema' in schema)) return undefined
  const { $schema: named } = schema
  if (typeof named === 'string' && named.replace(/#$/, '') === draft) return undefined
  const expected = `expected "${draft}"; leave it out if nothing depends on an older draft, else convert the schema (items with a list is prefixItems now, definitions are $defs)`
  return problemAt('/$schema', expected, named)
}

/** What the draft's own schema of schemas finds. */
function findDraftErrors(schema: unknown): SchemaProblem[] {
  const validate = new Ajv2020(options).getSchema(draft)
  if (!validate || validate(schema) === true) return []
  const all = withoutRepetitions(validate.errors ?? []).filter(
    ({ keyword }) => keyword !== '$dynamicRef',
  )
  // The schema of schemas describes some keywords by `anyOf`; the part that fails says more.
  const errors = all.filter(({ keyword }) => keyword !== 'anyOf' || all.length === 1)
  // Each vocabulary says once more that a value is no schema.
  const unique = new Map(errors.map((error) => [keyOf(error), error]))
  return [...unique.values()].map((error) => describeError(error))
}

function keyOf({ instancePath, keyword, params }: ErrorObject): string {
  return JSON.stringify([instancePath, keyword, params])
}
