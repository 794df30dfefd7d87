/** Describes the problems of schemas and results in words. */
import type { ErrorObject } from 'ajv'
import { maxTextLength, type SchemaProblem } from '../../execution/result-problems.ts'
import { describeCount } from '../../messages/quantities.ts'

/** Keywords whose error follows the errors of the schemas inside the keyword. */
const composites = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames'])

/** Returns all schemas within a schema, and within those that its references lead to. */
export type Within = (schema: unknown) => ReadonlySet<unknown>

/** Returns for `anyOf` and similar keywords only the errors that help, and all other errors. */
export function relevantErrors(errors: readonly ErrorObject[], within: Within): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    // An error of `if` repeats the error of `then` or `else`.
    if (error.keyword === 'if') continue
    const branches = composites.has(error.keyword) ? [error.schema].flat() : []
    // A branch may contain the others, for example in a tree.
    const ownersOf: Owners = ({ instancePath, parentSchema }) => {
      if (!instancePath.startsWith(error.instancePath)) return []
      const isOwner = (branch: unknown) => within(branch).has(parentSchema)
      return branches.includes(parentSchema) ? [parentSchema] : branches.filter(isOwner)
    }
    const before = kept.findLastIndex((each) => ownersOf(each).length === 0)
    const inside = kept.splice(before + 1)
    kept.push(...mostHelpful(error, inside, branches, ownersOf))
  }
  return kept
}

/** Returns the branches that an error may be from. */
type Owners = (error: ErrorObject) => unknown[]

/**
 * Returns the errors of the only branch that the value was meant for, or else the error of the
 * keyword. A union of types is one error.
 */
function mostHelpful(
  whole: ErrorObject,
  inside: readonly ErrorObject[],
  branches: readonly unknown[],
  ownersOf: Owners,
): ErrorObject[] {
  const { keyword, params, instancePath } = whole
  const isMatch = (params as { passingSchemas?: unknown }).passingSchemas != null
  if (!['anyOf', 'oneOf'].includes(keyword) || isMatch) return [whole]
  const has = (branch: unknown, isIt: (error: ErrorObject) => boolean) =>
    inside.some((error) => isIt(error) && ownersOf(error).every((owner) => owner === branch))
  const isWrongType = (error: ErrorObject) =>
    error.keyword === 'type' && error.instancePath === instancePath
  const fitting = branches.filter((branch) => !has(branch, isWrongType))
  if (fitting.length === 0) {
    const types = inside.filter(isWrongType).flatMap(({ schema }) => schema)
    return [{ ...whole, keyword: 'type', schema: [...new Set<unknown>(types)] }]
  }
  // A constant member, such as `kind`, tells the branches apart.
  const isOther = (error: ErrorObject) => ['const', 'enum'].includes(error.keyword)
  const meant = fitting.length > 1 ? fitting.filter((branch) => !has(branch, isOther)) : fitting
  return meant.length === 1 ? inside.filter((error) => ownersOf(error).includes(meant[0])) : [whole]
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
  exclusiveMinimum: (limit) => `expected more than ${String(limit)}`,
  exclusiveMaximum: (limit) => `expected less than ${String(limit)}`,
  multipleOf: (divisor) => `expected a multiple of ${String(divisor)}`,
  pattern: (pattern) => `expected a text that matches /${String(pattern)}/`,
  format: (format) => `expected the format ${String(format)}`,
  minLength: (limit) => `expected at least ${describeCount(Number(limit), 'character')}`,
  maxLength: (limit) => `expected at most ${describeCount(Number(limit), 'character')}`,
  minItems: (limit) => `expected at least ${describeCount(Number(limit), 'item')}`,
  maxItems: (limit) => `expected at most ${describeCount(Number(limit), 'item')}`,
  uniqueItems: () => 'expected no two equal items',
  additionalProperties: () => 'expected no other member than the schema names',
  'false schema': () => 'expected no value here',
}

/** Returns the value that a message shows as found: a number of items, a name, or a wrong value. */
function foundIn({ keyword, params, data }: ErrorObject): unknown {
  if (/^m..Items$/.test(keyword)) return (data as readonly unknown[]).length
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
