/** Describes the problems of schemas and results in words. */
import type { ErrorObject } from 'ajv'
import { maxTextLength, type SchemaProblem } from '../../execution/result-problems.ts'
import { describeCount } from '../../messages/quantities.ts'

/** Keywords whose error follows the errors of the schemas inside the keyword. */
const composites = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames'])

/**
 * Returns for each schema inside a list of schemas the index of its branch. Undefined if several
 * branches contain the schema.
 */
export type BranchesOf = (branches: unknown) => ReadonlyMap<unknown, number | undefined>

/** Returns for `anyOf` and similar keywords only the errors that help, and all other errors. */
export function relevantErrors(
  errors: readonly ErrorObject[],
  branchesOf: BranchesOf,
): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    // An error of `if` repeats the error of `then` or `else`.
    if (error.keyword === 'if') continue
    const branches = composites.has(error.keyword) ? branchesOf(error.schema) : undefined
    const isOfBranch = ({ parentSchema }: ErrorObject) => branches?.has(parentSchema) === true
    const isInside = (each: ErrorObject) =>
      // The boolean schema `false` may be in several branches.
      (isOfBranch(each) || (branches !== undefined && each.keyword === 'false schema')) &&
      `${each.instancePath}/`.startsWith(`${error.instancePath}/`)
    const inside = kept.splice(kept.findLastIndex((each) => !isInside(each)) + 1).filter(isOfBranch)
    const helpful = branches ? mostHelpful(error, inside, branches) : [error]
    // A spread would need one argument for each error.
    for (const each of helpful) kept.push(each)
  }
  return kept
}

/**
 * Returns the errors of the only branch that the value was meant for, or else the error of the
 * keyword. A union of types is one error.
 */
function mostHelpful(
  whole: ErrorObject,
  inside: readonly ErrorObject[],
  branches: ReadonlyMap<unknown, number | undefined>,
): ErrorObject[] {
  const { keyword, params, instancePath, schema, parentSchema } = whole
  const isMatch = (params as { passingSchemas?: unknown }).passingSchemas != null
  if (!['anyOf', 'oneOf'].includes(keyword) || isMatch) return [whole]
  const branchOf = (error: ErrorObject) => branches.get(error.parentSchema)
  const isOfWhole = (error: ErrorObject) => error.instancePath === instancePath
  const wrongTypes = inside.filter((error) => error.keyword === 'type' && isOfWhole(error))
  // The discriminator of OpenAPI and pydantic names the member that tells the branches apart.
  const { propertyName } = (parentSchema?.['discriminator'] ?? {}) as { propertyName?: string }
  const isOther = (error: ErrorObject) =>
    (error.keyword === 'const' && isOfWhole(error)) ||
    (['const', 'enum'].includes(error.keyword) &&
      error.instancePath === `${instancePath}/${propertyName}`)
  const typed = new Set(wrongTypes.map(branchOf))
  const unfit = new Set([...typed, ...inside.filter(isOther).map(branchOf)])
  const all = [...(schema as unknown[]).keys()]
  const [meant, ...others] = all.filter((branch) => !unfit.has(branch))
  if (meant !== undefined && others.length === 0) {
    const own = inside.filter((error) => [meant, undefined].includes(branchOf(error)))
    // Branches may share a schema, whose errors are there once for each branch.
    const once = [...new Map(own.map((error) => [identify(error), error])).values()]
    return once.length > 0 ? once : [whole]
  }
  if (meant !== undefined || !all.every((branch) => typed.has(branch))) return [whole]
  const types = new Set<unknown>(wrongTypes.flatMap(({ schema }) => schema))
  return [{ ...whole, keyword: 'type', schema: [...types] }]
}

function identify({ instancePath, keyword, params }: ErrorObject): string {
  return JSON.stringify([instancePath, keyword, params])
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
