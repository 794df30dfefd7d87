/** Compiles a JSON Schema of draft 2020-12 into a check of results, or finds its problems. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { exactKeywords } from './exact-keywords.ts'
import { describeError, withoutRepetitions } from './problems.ts'
import { readSchema } from './read-schema.ts'

export type Compiled =
  /** Throws if a value cannot be checked, for example if the schema refers to itself without end. */
  { check: (value: unknown) => SchemaProblems | undefined } | { problems: SchemaProblems }

export const maxProblems = 20

const options = {
  // readSchema has checked the schema. The strict mode refuses ordinary schemas, such as several
  // types, or `required` without `properties`.
  strict: false,
  validateSchema: false,
  meta: false,
  // Also compiles faster. Code that stops at the first problem is deeply nested: with 3,000
  // properties, it took 19 s to compile.
  allErrors: true,
  verbose: true,
  // If true, ajv checks no limit for the number 1e400, which is read as Infinity.
  strictNumbers: false,
  // If false, ajv finds a member `toString` in each object.
  ownProperties: true,
  formats: fullFormats,
  // The optimization takes more time than it saves.
  code: { optimize: false },
  // ajv prints to the console by default.
  logger: false,
} as const

/** `given`: parsed JSON. */
export function compileSchema(given: unknown): Compiled {
  try {
    const { schema, names, problems } = readSchema(given)
    const count = problems.length
    if (count > 0) return { problems: { problems: problems.slice(0, maxProblems), count } }
    const ajv = new Ajv2020(options)
    for (const { keyword, ...definition } of exactKeywords) {
      ajv.removeKeyword(keyword).addKeyword({ keyword, ...definition })
    }
    const validate = ajv.compile(schema)
    return { check: (value) => check(validate, names, value) }
  } catch (error) {
    const why =
      error instanceof RangeError
        ? 'it is nested too deeply, has too many parts, or refers to itself without end; describe less of the result, for example only the parts that the next steps use'
        : messageOf(error)
    return { problems: wholeProblem(why) }
  }
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

/** Returns the beginning of a place, up to the first name that the schema does not mention. */
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
