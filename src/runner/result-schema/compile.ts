/** Compiles a JSON Schema of draft 2020-12 into a function that checks results. */
import { Ajv2020, type CodeKeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { exactKeywords } from './exact-keywords.ts'
import { describeError, withoutRepetitions } from './problems.ts'
import { readSchema } from './read-schema.ts'

export type Compiled =
  /** Throws if a value cannot be checked, for example if the schema refers to itself endlessly. */
  { check: (value: unknown) => SchemaProblems | undefined } | { problems: SchemaProblems }

export const maxProblems = 20

const options = {
  // readSchema has already checked the schema. The strict mode of ajv would refuse ordinary
  // schemas, for example a list of types, or `required` without `properties`.
  strict: false,
  validateSchema: false,
  meta: false,
  // ajv compiles faster if it collects all errors. Otherwise, ajv generates deeply nested code,
  // which took 19 s to compile for 3,000 properties.
  allErrors: true,
  verbose: true,
  // JSON.parse reads 1e400 as Infinity. If this option were true, ajv would check no limits such as
  // `maximum` for Infinity.
  strictNumbers: false,
  // If this option were false, ajv would treat inherited members such as `toString` as members of
  // each object.
  ownProperties: true,
  formats: fullFormats,
  // Optimizing the compiled code takes more time than the optimized code saves.
  code: { optimize: false },
  // By default, ajv prints to the console.
  logger: false,
} as const

/** Compiles a schema or returns its problems. `given`: the schema as parsed JSON. */
export function compileSchema(given: unknown): Compiled {
  try {
    const { schema, names, problems } = readSchema(given)
    const count = problems.length
    if (count > 0) return { problems: { problems: problems.slice(0, maxProblems), count } }
    const ajv = new Ajv2020(options)
    // Only the keywords `unevaluated…` need this option, and readSchema refuses these keywords. If
    // the option were true, patternProperties could throw.
    ajv.opts.unevaluated = false
    // Lets ajv check prefixItems last. Inside `not` or `if`, ajv skips the keywords after
    // prefixItems if the checked array is empty.
    const prefixItems = ajv.getKeyword('prefixItems') as CodeKeywordDefinition
    for (const definition of [...exactKeywords, prefixItems]) {
      ajv.removeKeyword(String(definition.keyword)).addKeyword(definition)
    }
    const validate = ajv.compile(schema)
    // These calls throw if the schema refers to itself without end. Otherwise, the error would
    // appear only after a run.
    for (const value of [null, true, 0, '', [], {}]) validate(value)
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

/** Cuts a JSON Pointer before the first member name that the schema does not mention. */
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
