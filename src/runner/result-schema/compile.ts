/** Compiles a JSON Schema of draft 2020-12 into a function that checks results. */
import { Ajv2020, type CodeKeywordDefinition, type ErrorObject } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'
import {
  wholeProblem,
  type SchemaProblem,
  type SchemaProblems,
} from '../../execution/result-problems.ts'
import { exactKeywords } from './exact-keywords.ts'
import { describeError, relevantErrors, type BranchesOf } from './problems.ts'
import { draft, readSchema, branchesWithin } from './read-schema.ts'

type Compiled =
  | {
      /** Throws if a value cannot be checked, for example if the schema refers to itself endlessly. */
      check: (value: unknown) => SchemaProblems | undefined
      /** The formats that are not checked, because they are unknown. */
      unknownFormats: readonly string[]
    }
  | { problems: SchemaProblems }

export const maxProblems = 20

/** Compiles a schema or returns its problems. `given`: the schema as parsed JSON. */
export function compileSchema(given: unknown): Compiled {
  try {
    const ajv = openAjv()
    const { refusals, unknownFormats } = readSchema(given)
    const refused = new Set(refusals.map(([, place]) => place))
    const problems = [
      // If a value has two problems, the refusal says what to write instead.
      ...findWrongValues(given, ajv).filter(({ place }) => place === '' || !refused.has(place)),
      ...refusals.map(([expected, place]) => ({ place, expected, found: undefined })),
    ]
    if (problems.length > 0) {
      // One problem more than an annotation shows, so that the annotation says that there are more.
      return { problems: { problems: problems.slice(0, maxProblems + 1), count: problems.length } }
    }
    // An `$id` at the root means nothing here, because references lead into the same schema. The
    // schema is compiled as draft 2020-12, whatever its `$schema` is.
    const schema =
      typeof given === 'object' ? { ...given, $id: undefined, $schema: undefined } : given
    const validate = ajv.compile(schema as object)
    // These calls throw if the schema refers to itself without end. Otherwise, the error would
    // appear only after a run.
    for (const value of [null, true, 0, '', [], {}]) validate(value)
    const branchesOf = branchesWithin(schema)
    const check = (value: unknown) =>
      validate(value) ? undefined : describe(validate.errors ?? [], branchesOf)
    return { check, unknownFormats }
  } catch (error) {
    const why =
      error instanceof RangeError
        ? 'it is nested too deeply, has too many parts, or refers to itself without end; describe less of the result, for example only the parts that the next steps use'
        : messageOf(error)
    return { problems: wholeProblem(why) }
  }
}

/** Finds values that the draft does not allow. Returns the first problem of each place. */
function findWrongValues(given: unknown, ajv: Ajv2020): SchemaProblem[] {
  if (ajv.validate(draft, given)) return []
  const byPlace = new Map<string, ErrorObject>()
  for (const error of ajv.errors ?? []) {
    if (!byPlace.has(error.instancePath)) byPlace.set(error.instancePath, error)
  }
  return [...byPlace.values()].map(describeError)
}

/** Returns ajv with our own checks of the keywords that ajv checks inexactly. */
function openAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    // The strict mode of ajv would refuse ordinary schemas, for example a list of types, or `required`
    // without `properties`.
    strict: false,
    validateSchema: false,
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
    // Optimizing the compiled code takes more time than the optimized code saves.
    code: { optimize: false },
    // By default, ajv prints to the console.
    logger: false,
    formats: fullFormats,
  })
  // Only the keywords `unevaluated…` need this option, and readSchema refuses these keywords. If
  // the option were true, patternProperties could throw.
  ajv.opts.unevaluated = false
  // Lets ajv check prefixItems last. Inside `not` or `if`, ajv skips the keywords after prefixItems
  // if the checked array is empty.
  const prefixItems = ajv.getKeyword('prefixItems') as CodeKeywordDefinition
  for (const definition of [...exactKeywords, prefixItems]) {
    ajv.removeKeyword(String(definition.keyword)).addKeyword(definition)
  }
  return ajv
}

function describe(found: readonly ErrorObject[], branchesOf: BranchesOf): SchemaProblems {
  const errors = relevantErrors(found, branchesOf)
  return { problems: errors.slice(0, maxProblems).map(describeError), count: errors.length }
}
