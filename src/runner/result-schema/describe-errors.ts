/** What a validator of ajv found, in words for people. */
import type { ErrorObject } from 'ajv'
import type { SchemaProblem } from '../../execution/result-problems.ts'

/** Longer than anybody is shown, so that a secret in it is whole when it is looked for. */
const maxTextLength = 4096

/** Their own problem says more than those of each of their parts. */
const composites = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames'])

/**
 * Leaves out what repeats another problem: those of the parts of `anyOf` and the like, and `if`,
 * whose `then` or `else` has a problem of its own.
 */
export function withoutRepetitions(errors: readonly ErrorObject[]): ErrorObject[] {
  const whole = new Set(
    errors.filter(({ keyword }) => composites.has(keyword)).map(({ schemaPath }) => schemaPath),
  )
  return errors.filter(
    ({ keyword, schemaPath }) =>
      keyword !== 'if' && !ancestors(schemaPath).some((path) => whole.has(path)),
  )
}

function ancestors(schemaPath: string): string[] {
  const parts = schemaPath.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

export function describeError(error: ErrorObject, root: unknown): SchemaProblem {
  const { instancePath, keyword } = error
  const found = isAboutName(keyword) ? undefined : beginningOf(valueAt(root, instancePath))
  return {
    place: instancePath.slice(0, maxTextLength),
    expected: expectationOf(error).slice(0, maxTextLength),
    found,
  }
}

/** Its value is the whole object, of which only a name is meant. */
function isAboutName(keyword: string): boolean {
  return /^(required|dependent|dependencies|additional|unevaluatedProperties|propertyNames)/.test(
    keyword,
  )
}

/** By keyword, from its parameters (ajv's documentation, "Error parameters"). */
const expectations: Readonly<Record<string, (params: Parameters) => string>> = {
  type: ({ type }) => `expected ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues }) => `expected one of ${listOf(allowedValues)}`,
  const: ({ allowedValue }) => `expected ${beginningOf(allowedValue)}`,
  required: ({ missingProperty }) => `expected a member ${quoted(missingProperty)}`,
  dependentRequired: ({ missingProperty, property }) =>
    `expected a member ${quoted(missingProperty)} beside ${quoted(property)}`,
  additionalProperties: ({ additionalProperty }) =>
    `expected no member ${quoted(additionalProperty)}`,
  unevaluatedProperties: ({ unevaluatedProperty }) =>
    `expected no member ${quoted(unevaluatedProperty)}`,
  propertyNames: ({ propertyName }) => `expected no member with the name ${quoted(propertyName)}`,
  minItems: ({ limit }) => `expected at least ${count(limit, 'item')}`,
  maxItems: ({ limit }) => `expected at most ${count(limit, 'item')}`,
  minProperties: ({ limit }) => `expected at least ${count(limit, 'member')}`,
  maxProperties: ({ limit }) => `expected at most ${count(limit, 'member')}`,
  minLength: ({ limit }) => `expected at least ${count(limit, 'character')}`,
  maxLength: ({ limit }) => `expected at most ${count(limit, 'character')}`,
  minimum: ({ limit }) => `expected at least ${String(limit)}`,
  maximum: ({ limit }) => `expected at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `expected more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `expected less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `expected a multiple of ${String(multipleOf)}`,
  pattern: ({ pattern }) => `expected a match of ${String(pattern)}`,
  format: ({ format }) => `expected the format ${String(format)}`,
  uniqueItems: ({ i, j }) => `expected no two equal items (${String(j)} and ${String(i)} are)`,
  contains: ({ minContains }) =>
    `expected at least ${count(minContains, 'item')} as "contains" describes`,
  anyOf: () => 'expected what one of "anyOf" describes',
  oneOf: ({ passingSchemas }) =>
    passingSchemas === null
      ? 'expected what one of "oneOf" describes'
      : 'expected what only one of "oneOf" describes (more of them do)',
  not: () => 'expected what "not" does not describe',
  'false schema': () => 'expected nothing here (its schema is false)',
}

type Parameters = Readonly<Record<string, unknown>>

function expectationOf({ keyword, params, message }: ErrorObject): string {
  const words = Object.hasOwn(expectations, keyword) ? expectations[keyword] : undefined
  return words?.(params as Parameters) ?? `it ${message ?? `fails "${keyword}"`}`
}

function count(limit: unknown, thing: string): string {
  return `${String(limit)} ${thing}${limit === 1 ? '' : 's'}`
}

function quoted(name: unknown): string {
  return JSON.stringify(String(name).slice(0, maxTextLength))
}

const maxListed = 10

function listOf(values: unknown): string {
  if (!Array.isArray(values)) return beginningOf(values)
  const shown = values.slice(0, maxListed).map(beginningOf).join(', ')
  return values.length > maxListed ? `${shown} and ${values.length - maxListed} more` : shown
}

/** The value that a JSON Pointer leads to. */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** The JSON of a value, of which no more is made than is needed. */
function beginningOf(value: unknown): string {
  let text = ''
  for (const piece of piecesOf(value, 20)) {
    text += piece
    if (text.length >= maxTextLength) break
  }
  return text.slice(0, maxTextLength)
}

/** `depth`: how many levels are written; what lies deeper is left out. */
function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield JSON.stringify(value.slice(0, maxTextLength))
  else if (typeof value !== 'object' || value === null) yield String(value)
  else if (depth === 0) yield '…'
  else {
    const isArray = Array.isArray(value)
    const names = isArray ? value.keys() : Object.keys(value)
    yield isArray ? '[' : '{'
    let separator = ''
    for (const name of names) {
      yield isArray ? separator : `${separator}${quoted(name)}:`
      yield* piecesOf((value as Record<string | number, unknown>)[name], depth - 1)
      separator = ','
    }
    yield isArray ? ']' : '}'
  }
}
