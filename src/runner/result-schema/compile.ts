/** Makes the check of results from a JSON Schema of draft 2020-12, or says what is wrong with it. */
import {
  Ajv2020,
  type CodeKeywordDefinition,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'
import { describeError, withoutRepetitions } from './describe-errors.ts'
import {
  wholeProblem,
  type SchemaProblem,
  type SchemaProblems,
} from '../../execution/result-problems.ts'

export type Compiled =
  /** Throws where a value cannot be checked, such as with a schema that refers to itself without end. */
  { check: (value: unknown) => SchemaProblems | undefined } | { problems: SchemaProblems }

const maxProblems = 20

/** What places and leads to a schema; of `true` and `false` nothing is there. */
type Part = Partial<Record<'$id' | '$anchor' | '$dynamicAnchor' | '$ref' | '$dynamicRef', string>>

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
  // Also the faster way: code that stops at the first problem is nested by the number of parts, and
  // took 19 s to compile for 3,000 properties.
  allErrors: true,
  verbose: true,
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
  try {
    const problems = findDraftProblem(given) ?? findProblems(given)
    if (problems) return { problems }
    const schema = given as { $id?: string; $dynamicAnchor?: string }
    const text = JSON.stringify(schema)
    const validate = compileStatic(schema)
    // Only a part with an address of its own can have an anchor of the same name once more.
    const addresses = text.split('"$id":').length - 1
    const isDynamic =
      text.includes('"$dynamicRef":') && addresses > (schema.$id === undefined ? 0 : 1)
    const used = isDynamic ? createAjv().compile(schema) : validate
    return { check: (value) => check(used, value) }
  } catch (error) {
    return { problems: describeCompileError(error, given) }
  }
}

/**
 * With each `$dynamicRef` as a `$ref`. Throws where one leads nowhere: ajv takes such a $dynamicRef
 * for one to the whole schema, and one to an anchor that it has not come to yet.
 */
function compileStatic(schema: { $dynamicAnchor?: string }): ValidateFunction {
  // No $ref of ajv's finds the anchor of the whole schema.
  const toRoot = `#${String(schema.$dynamicAnchor)}`
  const ajv = createAjv().removeKeyword('$dynamicRef')
  const { code } = ajv.getKeyword('$ref') as CodeKeywordDefinition
  return ajv
    .addKeyword({
      keyword: '$dynamicRef',
      schemaType: 'string',
      // Not a macro: after one, `unevaluatedProperties` takes what it has checked for unchecked.
      code: (context) => {
        if (context.schema === toRoot) context.schema = '#'
        code(context)
      },
    })
    .compile(schema)
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ ...options, validateSchema: false })
  // A keyword of the draft that ajv resolves, and would have declared.
  ajv.addKeyword('$anchor')
  return ajv
}

function check(validate: ValidateFunction, value: unknown): SchemaProblems | undefined {
  if (validate(value)) return undefined
  const errors = withoutRepetitions(validate.errors ?? [])
  return { problems: errors.slice(0, maxProblems).map(describeError), count: errors.length }
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
 * nothing checks, patterns that are no regular expressions, references to what is no schema. Through
 * `$dynamicAnchor` it holds for each schema within the schema.
 */
function findProblems(schema: unknown): SchemaProblems | undefined {
  const ajv = new Ajv2020(options)
  const keywords = [draft, ...vocabularies].flatMap((id) => {
    const described = ajv.getSchema(id)?.schema as { properties?: object } | undefined
    return Object.keys(described?.properties ?? {})
  })
  const parts = new Map<string, Part>()
  ajv.addFormat('regex', (pattern: string) => findPatternProblem(pattern) === undefined)
  ajv.addKeyword({
    keyword: 'isSchema',
    type: ['object', 'boolean'],
    validate: (_: true, part: Part, __?: unknown, at?: { instancePath: string }) =>
      parts.set(at?.instancePath ?? '', part).size > 0,
  })
  const validate = ajv.compile({
    $id: 'https://run-automation.invalid/schema',
    $dynamicAnchor: 'meta',
    $ref: draft,
    isSchema: true,
    propertyNames: { anyOf: [{ enum: keywords }, { pattern: '^x-' }] },
    properties: {
      // What ajv leaves out of `properties` without a word.
      properties: { propertyNames: { not: { const: '__proto__' } } },
      // What ajv refuses without its place.
      enum: { minItems: 1 },
      format: { enum: Object.keys(fullFormats) },
      pattern: { format: 'regex' },
      patternProperties: { propertyNames: { format: 'regex' } },
    },
  })
  validate(schema)
  const all = withoutRepetitions(validate.errors ?? [])
  // The schema of schemas describes some keywords by `anyOf`; the part that fails says more.
  const errors = all.filter(({ keyword }) => keyword !== 'anyOf' || all.length === 1)
  // Each of its vocabularies says once more that something is no schema.
  const byWords = errors.map((error) => {
    const { instancePath, message, params } = error
    return [JSON.stringify([instancePath, message, params]), error] as const
  })
  const found = [...new Map(byWords).values()]
  const wrong = findWrongReferences(parts)
  const problems = [...found.slice(0, maxProblems).map(describeSchemaError), ...wrong]
  if (problems.length === 0) return undefined
  return { problems: problems.slice(0, maxProblems), count: found.length + wrong.length }
}

function describeSchemaError(error: ErrorObject): SchemaProblem {
  const problem = describeError(error)
  const { propertyName, format } = error.params as { propertyName: string; format?: string }
  if (error.schemaPath === '#/propertyNames') {
    const name = JSON.stringify(propertyName.slice(0, 100))
    return { ...problem, expected: `unknown keyword ${name} (one of your own begins with x-)` }
  }
  if (format !== 'regex') return problem
  const why = findPatternProblem(String(error.data))
  return { ...problem, expected: `must be a regular expression (${why ?? ''})` }
}

/** Why ajv cannot compile a pattern, which it does with the flag u. */
function findPatternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    return messageOf(error).split('/u: ').at(-1)
  }
}

/**
 * References that lead to no schema. ajv takes whatever is there for one, such as the whole of
 * `$defs`, and ignores its members as keywords that it doesn't know: nothing would be checked.
 * `parts`: each schema within the schema by its place.
 */
function findWrongReferences(parts: ReadonlyMap<string, Part>): SchemaProblem[] {
  // In a part that has an address of its own a reference leads elsewhere: there ajv has to do.
  if ([...parts].some(([place, { $id }]) => place !== '' && $id !== undefined)) return []
  const targets = new Set(['#', '#/'])
  for (const [place, { $anchor = '', $dynamicAnchor = '' }] of parts) {
    for (const target of [place, $anchor, $dynamicAnchor]) targets.add(`#${target}`)
  }
  return [...parts].flatMap(([place, { $ref, $dynamicRef }]) =>
    Object.entries({ $ref, $dynamicRef }).flatMap(([name, to]) =>
      typeof to !== 'string' || !to.startsWith('#') || targets.has(decodeURIComponent(to))
        ? []
        : [describeReference(`${place}/${name}`, to)],
    ),
  )
}

function describeReference(place: string, reference: string): SchemaProblem {
  const expected =
    'expected a reference to a schema within this one, such as below $defs (nothing is fetched), and it leads to none'
  return { place, expected, found: JSON.stringify(reference) }
}

function describeCompileError(error: unknown, schema: unknown): SchemaProblems {
  if (error instanceof RangeError) {
    return wholeProblem(
      'it is nested too deeply, has too many parts, or refers to itself without end; describe less of the result, such as what the next steps use',
    )
  }
  const message = messageOf(error)
  // "can't resolve reference #/$defs/row from id #"
  const [, reference] = /^can't resolve reference (.*) from id /s.exec(message) ?? []
  if (reference === undefined) return wholeProblem(message)
  const place = placeOfReference(schema, reference) ?? ''
  return { problems: [describeReference(place, reference)], count: 1 }
}

/** The JSON Pointer of one such reference. */
function placeOfReference(schema: unknown, reference: string): string | undefined {
  // Without recursion: a schema may be nested more deeply than calls may be.
  const open: { part: unknown; place: string }[] = [{ part: schema, place: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.part !== 'object' || next.part === null) continue
    for (const [name, member] of Object.entries(next.part)) {
      const place = `${next.place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if ((name === '$ref' || name === '$dynamicRef') && member === reference) return place
      open.push({ part: member, place })
    }
  }
  return undefined
}
