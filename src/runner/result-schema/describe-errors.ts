/** Puts what ajv found into words. */
import type { ErrorObject } from 'ajv'
import type { SchemaProblem } from '../../execution/result-problems.ts'
import { problemAt } from './problem.ts'

/** The problem of such a keyword says more than those of each of its parts. */
const composites = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames'])

/** Leaves out the problems of the parts of `anyOf` and the like, and says nothing twice. */
export function withoutRepetitions(errors: readonly ErrorObject[]): ErrorObject[] {
  const whole = new Set(
    errors.filter(({ keyword }) => composites.has(keyword)).map(({ schemaPath }) => schemaPath),
  )
  // `if` leads to `then` or `else`, which has a problem of its own.
  return errors.filter(
    ({ keyword, schemaPath }) =>
      keyword !== 'if' && !ancestors(schemaPath).some((path) => whole.has(path)),
  )
}

function ancestors(schemaPath: string): string[] {
  const parts = schemaPath.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

interface Words {
  expected: string
  /** What was found, if that is not the value itself; null if there is nothing to show. */
  found?: unknown
}

/** `limit`: the value of the keyword. `params`: ajv's documentation, "Error parameters". */
type Describe = (limit: unknown, params: Readonly<Record<string, unknown>>, data: unknown) => Words

const sentences: Readonly<Record<string, Describe>> = {
  type: (types) => ({ expected: `expected ${[types].flat().map(describeType).join(' or ')}` }),
  const: (value) => ({ expected: `expected ${JSON.stringify(value)}` }),
  enum: (values) => ({ expected: `expected one of ${JSON.stringify(values)}` }),
  minimum: (limit) => ({ expected: `expected at least ${String(limit)}` }),
  maximum: (limit) => ({ expected: `expected at most ${String(limit)}` }),
  exclusiveMinimum: (limit) => ({ expected: `expected more than ${String(limit)}` }),
  exclusiveMaximum: (limit) => ({ expected: `expected less than ${String(limit)}` }),
  multipleOf: (divisor) => ({ expected: `expected a multiple of ${String(divisor)}` }),
  minLength: (limit) => ({ expected: `expected at least ${count(limit, 'character')}` }),
  maxLength: (limit) => ({ expected: `expected at most ${count(limit, 'character')}` }),
  pattern: (pattern) => ({ expected: `expected a text that matches /${String(pattern)}/` }),
  format: (format) => ({ expected: `expected the format ${String(format)}` }),
  minItems: (limit, _, data) => ({
    expected: `expected at least ${count(limit, 'item')}`,
    found: sizeOf(data),
  }),
  maxItems: (limit, _, data) => ({
    expected: `expected at most ${count(limit, 'item')}`,
    found: sizeOf(data),
  }),
  items: (_, { limit }, data) => ({
    expected: `expected at most ${count(limit, 'item')}`,
    found: sizeOf(data),
  }),
  uniqueItems: () => ({ expected: 'expected no two equal items', found: null }),
  contains: (_, { minContains, maxContains }) => ({
    expected: `expected ${range(minContains, maxContains)} of the kind that contains describes`,
    found: null,
  }),
  minProperties: (limit, _, data) => ({
    expected: `expected at least ${count(limit, 'member')}`,
    found: sizeOf(data),
  }),
  maxProperties: (limit, _, data) => ({
    expected: `expected at most ${count(limit, 'member')}`,
    found: sizeOf(data),
  }),
  required: (_, { missingProperty: name }) => ({
    expected: `the member ${String(name)} is missing`,
    found: null,
  }),
  dependentRequired: (_, { property, missingProperty }) => ({
    expected: `the member ${String(missingProperty)} is missing, which the member ${String(property)} requires`,
    found: null,
  }),
  additionalProperties: (_, { additionalProperty }) => ({
    expected: 'expected no other member than the schema names',
    found: additionalProperty,
  }),
  propertyNames: (_, { propertyName }) => ({
    expected: 'expected names of members that match propertyNames',
    found: propertyName,
  }),
  anyOf: () => ({ expected: 'expected a match with one of the schemas in anyOf' }),
  oneOf: () => ({ expected: 'expected a match with exactly one of the schemas in oneOf' }),
  not: () => ({ expected: 'expected no match with the schema in not' }),
  'false schema': () => ({ expected: 'expected no value here' }),
}

/** Describes an error of a validator with the option `verbose`. */
export function describeError(
  { instancePath, keyword, params, schema, data }: ErrorObject,
  namedPlace = instancePath,
): SchemaProblem {
  const describe = Object.hasOwn(sentences, keyword) ? sentences[keyword] : undefined
  const words = describe?.(schema, params as Record<string, unknown>, data)
  const { expected = `expected a match with ${keyword}`, found = data } = words ?? {}
  return problemAt(instancePath, expected, found === null ? undefined : found, namedPlace)
}

function describeType(type: unknown): string {
  if (type === 'null') return 'null'
  return `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`
}

function count(limit: unknown, what: string): string {
  return `${String(limit)} ${what}${limit === 1 ? '' : 's'}`
}

function range(least: unknown, most: unknown): string {
  const minimum = `at least ${count(least, 'item')}`
  return typeof most === 'number' ? `${minimum} and at most ${most}` : minimum
}

function sizeOf(data: unknown): number {
  return Object.keys(data as object).length
}
