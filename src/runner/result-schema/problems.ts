/** Describes the problems of schemas and results in words. */
import type { ErrorObject } from 'ajv'
import { maxTextLength, type SchemaProblem } from '../../execution/result-problems.ts'

/** Keywords whose error replaces the errors of the schemas inside the keyword. */
const composites = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames'])

/** Removes the errors inside `anyOf` and similar keywords. Keeps the keyword's own error. */
export function withoutRepetitions(errors: readonly ErrorObject[]): ErrorObject[] {
  const whole = new Set(
    errors.filter(({ keyword }) => composites.has(keyword)).map(({ schemaPath }) => schemaPath),
  )
  // An error of `if` repeats the error of `then` or `else`.
  return errors.filter(
    ({ keyword, schemaPath }) =>
      keyword !== 'if' && !ancestors(schemaPath).some((path) => whole.has(path)),
  )
}

function ancestors(schemaPath: string): string[] {
  const parts = schemaPath.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/**
 * Describes the expected value. `limit`: the value of the keyword. `params`: see "Error parameters"
 * in ajv's documentation.
 */
type Describe = (limit: unknown, params: Readonly<Record<string, unknown>>) => string

const sentences: Readonly<Record<string, Describe>> = {
  type: (types) => `expected ${[types].flat().map(describeType).join(' or ')}`,
  const: (value) => `expected ${JSON.stringify(value)}`,
  enum: (values) => `expected one of ${JSON.stringify(values)}`,
  minimum: (limit) => `expected at least ${String(limit)}`,
  maximum: (limit) => `expected at most ${String(limit)}`,
  exclusiveMinimum: (limit) => `expected more than ${String(limit)}`,
  exclusiveMaximum: (limit) => `expected less than ${String(limit)}`,
  multipleOf: (divisor) => `expected a multiple of ${String(divisor)}`,
  minLength: (limit) => `expected at least ${count(limit, 'character')}`,
  maxLength: (limit) => `expected at most ${count(limit, 'character')}`,
  pattern: (pattern) => `expected a text that matches /${String(pattern)}/`,
  format: (format) => `expected the format ${String(format)}`,
  minItems: (limit) => `expected at least ${count(limit, 'item')}`,
  maxItems: (limit) => `expected at most ${count(limit, 'item')}`,
  items: (_, { limit }) => `expected at most ${count(limit, 'item')}`,
  uniqueItems: () => 'expected no two equal items',
  contains: (_, { minContains, maxContains }) =>
    `expected ${range(minContains, maxContains)} of the kind that contains describes`,
  minProperties: (limit) => `expected at least ${count(limit, 'member')}`,
  maxProperties: (limit) => `expected at most ${count(limit, 'member')}`,
  required: (_, { missingProperty: name }) => `the member ${String(name)} is missing`,
  dependentRequired: (_, { property, missingProperty: name }) =>
    `the member ${String(name)} is missing, which the member ${String(property)} requires`,
  additionalProperties: () => 'expected no other member than the schema names',
  propertyNames: () => 'expected names of members that match propertyNames',
  anyOf: () => 'expected a match with one of the schemas in anyOf',
  oneOf: () => 'expected a match with exactly one of the schemas in oneOf',
  not: () => 'expected no match with the schema in not',
  'false schema': () => 'expected no value here',
}

const sized = new Set(['minItems', 'maxItems', 'items', 'minProperties', 'maxProperties'])
const silent = new Set(['uniqueItems', 'contains', 'required', 'dependentRequired'])

/** Returns the value that a message shows as found: a size, a member name, or the wrong value. */
function foundIn({ keyword, params, data }: ErrorObject): unknown {
  if (silent.has(keyword)) return undefined
  if (sized.has(keyword)) return Object.keys(data as object).length
  const { additionalProperty, propertyName } = params as Readonly<Record<string, unknown>>
  return additionalProperty ?? propertyName ?? data
}

/** Describes an error of ajv. The validator must be compiled with the option `verbose`. */
export function describeError(error: ErrorObject): SchemaProblem {
  const { instancePath, keyword, params, schema } = error
  const expected = sentences[keyword]?.(schema, params) ?? `expected a match with ${keyword}`
  const found = foundIn(error)
  return {
    place: boundedPlace(instancePath),
    expected: expected.slice(0, maxTextLength),
    found: found === undefined ? undefined : textOf(found)?.slice(0, maxTextLength),
  }
}

/** Shortens a JSON Pointer, but never within a name. */
function boundedPlace(place: string): string {
  if (place.length <= maxTextLength) return place
  return place.slice(0, place.lastIndexOf('/', maxTextLength))
}

/** Returns the JSON of a value, or undefined if the value is nested too deeply to be written. */
function textOf(value: unknown): string | undefined {
  try {
    // JSON.parse reads 1e400 as Infinity, which JSON.stringify cannot write.
    return typeof value === 'number' ? String(value) : JSON.stringify(value)
  } catch {
    return undefined
  }
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
