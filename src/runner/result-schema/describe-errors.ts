/** What a validator of ajv found: in its own words, and with what they leave out. */
import type { ErrorObject } from 'ajv'
import type { SchemaProblem } from '../../execution/result-problems.ts'

/** Longer than anybody is shown, so that a secret in it is whole when it is looked for. */
const maxTextLength = 4096

/** Their own problem says more than those of each of their parts. */
const composites = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames'])

/** What they lead to has a problem of its own: `if` to `then` or `else`. */
const followed = new Set(['if', '$dynamicRef'])

/** Leaves out what repeats another problem, such as those of the parts of `anyOf` and the like. */
export function withoutRepetitions(errors: readonly ErrorObject[]): ErrorObject[] {
  const whole = new Set(
    errors.filter(({ keyword }) => composites.has(keyword)).map(({ schemaPath }) => schemaPath),
  )
  return errors.filter(
    ({ keyword, schemaPath }) =>
      !followed.has(keyword) && !ancestors(schemaPath).some((path) => whole.has(path)),
  )
}

function ancestors(schemaPath: string): string[] {
  const parts = schemaPath.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** The parameters (ajv's documentation, "Error parameters") that its words do not hold. */
const leftOut: Readonly<Record<string, string>> = {
  enum: 'allowedValues',
  const: 'allowedValue',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  propertyNames: 'propertyName',
}

/** Of a validator with the option `verbose`. */
export function describeError({
  instancePath,
  keyword,
  message = `must match "${keyword}"`,
  params,
  data,
}: ErrorObject): SchemaProblem {
  const name = Object.hasOwn(leftOut, keyword) ? leftOut[keyword] : undefined
  const rest = name === undefined ? '' : `: ${beginningOf((params as Parameters)[name]) ?? ''}`
  return {
    place: instancePath.slice(0, maxTextLength),
    expected: `${message}${rest}`.slice(0, maxTextLength),
    found: isAboutName(keyword) ? undefined : beginningOf(data),
  }
}

type Parameters = Readonly<Record<string, unknown>>

/** Its value is the whole object, of which only a name is meant. */
function isAboutName(keyword: string): boolean {
  return /^(required|dependent|dependencies|additional|unevaluatedProperties|propertyNames)/.test(
    keyword,
  )
}

/** The JSON of a value; undefined where it is nested too deeply to be written. */
function beginningOf(value: unknown): string | undefined {
  try {
    // JSON has no word for what 1e400 is read as.
    const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
    return text.slice(0, maxTextLength)
  } catch {
    return undefined
  }
}
