/** Describes the problems of schemas and results in words. */
import type { ErrorObject } from 'ajv'
import { maxTextLength, type SchemaProblem } from '../../execution/result-problems.ts'
import { describeCount } from '../../messages/quantities.ts'

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

/** Describes the expected value. `limit` is the value of the keyword. */
type Describe = (limit: unknown) => string

/**
 * Our words for the keywords of ordinary schemas, and for keywords that we check ourselves. All
 * other keywords have the words of ajv.
 */
const sentences: Readonly<Record<string, Describe>> = {
  type: (types) => `expected ${[types].flat().map(describeType).join(' or ')}`,
  const: (value) => `expected ${JSON.stringify(value)}`,
  enum: (values) => `expected one of ${JSON.stringify(values)}`,
  minimum: (limit) => `expected at least ${String(limit)}`,
  maximum: (limit) => `expected at most ${String(limit)}`,
  multipleOf: (divisor) => `expected a multiple of ${String(divisor)}`,
  pattern: (pattern) => `expected a text that matches /${String(pattern)}/`,
  format: (format) => `expected the format ${String(format)}`,
  minItems: (limit) => `expected at least ${describeCount(Number(limit), 'item')}`,
  uniqueItems: () => 'expected no two equal items',
  additionalProperties: () => 'expected no other member than the schema names',
}

/** Returns the value that a message shows as found: a number of items, a name, or a wrong value. */
function foundIn({ keyword, params, data }: ErrorObject): unknown {
  if (keyword === 'minItems') return (data as readonly unknown[]).length
  if (keyword === 'additionalProperties') {
    return (params as { additionalProperty: unknown }).additionalProperty
  }
  // Only these keywords are about an object or an array as a whole.
  const isAboutWhole = ['type', 'const', 'enum'].includes(keyword)
  return isAboutWhole || typeof data !== 'object' || data === null ? data : undefined
}

/** Describes an error of ajv. The validator must be compiled with the option `verbose`. */
export function describeError(error: ErrorObject): SchemaProblem {
  const { instancePath, keyword, params, schema } = error
  const { missingProperty } = params as { missingProperty?: string }
  const expected =
    keyword === 'required'
      ? `the member ${String(missingProperty)} is missing`
      : (sentences[keyword]?.(schema) ?? error.message ?? `expected a match with ${keyword}`)
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
