/** Declares the parts of all input schemas: texts, words, booleans, and their problems. */
import { z } from 'zod/mini'

/**
 * Returns a schema for a required text without surrounding white space. If the text is empty, the
 * checks that callers add also run. These checks must accept an empty text, because an empty text
 * already has a problem.
 */
export function requiredText(problem: string) {
  return z.string(problem).check(z.trim(), z.minLength(1, problem))
}

export const givenText = requiredText(
  'required, but empty or not given; give a value (if the value comes from a variable or an output, that variable or output may be missing)',
)

/** A required text with a default in `action.yml`. The default does not apply to an empty text. */
export const settingText = requiredText(
  'empty or not given; give a value, or leave the input out to use its default',
)

/** A required text in one line, such as a name or an id. */
export const lineOfText = givenText.check(
  z.refine(isOneLine, {
    error:
      'expected one line of text without control characters, found a line break or another control character',
  }),
)

/** Makes an input optional. An empty or blank text counts as not given. */
export function optional<Schema extends z.core.$ZodType>(schema: Schema) {
  const given = z.transform((text: unknown) => (isBlank(text) ? undefined : text))
  return z.pipe(given, z.optional(schema))
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.pipe(
    settingText,
    z.enum(words, {
      error: ({ input }) => `expected one of ${words.join(', ')}, found ${quote(String(input))}`,
    }),
  )
}

/** Reads words separated by commas or line breaks as a set. An empty text is an empty set. */
export function wordsOutOf<const Word extends string>(known: readonly Word[], expected: string) {
  return (text: string, context: z.core.ParsePayload): ReadonlySet<Word> => {
    const words = text
      .split(/[,\r\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== '')
    const isKnown = (word: string): word is Word => known.some((other) => other === word)
    // Only spaces and line breaks mean an empty list. Other texts without a word are a mistake.
    const isSlip = words.length === 0 && /[^ \t\r\n]/.test(text)
    const unknown = isSlip ? [text] : words.filter((word) => !isKnown(word))
    if (unknown.length === 0) return new Set(words.filter(isKnown))
    return refuse(context, `expected any of ${expected}, found ${unknown.map(quote).join(', ')}`)
  }
}

/** Accepts a whole number that is written only with digits. */
export function wholeNumberBetween(min: number, max: number) {
  return changed(settingText, (text, context) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= min && value <= max) return value
    return refuse(context, `expected a whole number from ${min} to ${max}, found ${quote(text)}`)
  })
}

const spellings = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])

/** Accepts a boolean in the spelling of YAML 1.2 (core schema). */
export const booleanInput = changed(settingText, (text, context) => {
  const value = spellings.get(text)
  return value ?? refuse(context, `expected true or false, found ${quote(text)}`)
})

/** Splits a text into lines. CRLF, CR and LF each end one line. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}

export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text)
}

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === ''
}

/**
 * Returns a text for an error message: in quotes and on one line. The annotation cuts a long text,
 * after it was redacted.
 */
export function quote(text: string): string {
  // JSON.stringify leaves some invisible characters and some line breaks (U+2028) unescaped.
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) => {
    return `\\u{${found.codePointAt(0)?.toString(16) ?? ''}}`
  })
}

/** Applies `change` to a value that the schema accepts. `change` may refuse the value. */
export function changed<Schema extends z.core.$ZodType, Value>(
  schema: Schema,
  change: (read: z.output<Schema>, context: z.core.ParsePayload) => Value,
) {
  return z.pipe(schema, z.transform(change))
}

function addProblem({ issues, value }: z.core.ParsePayload, message: string): void {
  issues.push({ code: 'custom', message, input: value })
}

// The maximum number of problems in an annotation, which has limited space.
export const maxProblems = 20

/** Adds problems to the result of zod. `count` also counts problems that are not in `problems`. */
export function addProblems(
  context: z.core.ParsePayload,
  problems: readonly string[],
  count = problems.length,
): void {
  const shown = problems.slice(0, maxProblems)
  for (const problem of shown) addProblem(context, problem)
  if (count > shown.length) addProblem(context, `${count - shown.length} more problems`)
}

/** Adds a problem of the input. Returns z.NEVER as the value of the failed conversion. */
export function refuse(context: z.core.ParsePayload, problem: string): never {
  addProblem(context, problem)
  return z.NEVER
}

/**
 * Returns a condition for a rule about several inputs. The rule runs if these inputs are valid.
 * Other invalid inputs do not stop the rule, so that all problems are reported together.
 */
export function whenValid(...names: readonly string[]) {
  return ({ issues }: z.core.ParsePayload) =>
    !issues.some(({ path }) => names.includes(String(path?.[0])))
}

/** Reports two inputs that exclude each other, also if the value of one or both is invalid. */
export function notBoth(first: string, second: string, why: string) {
  return z.refine<Record<string, unknown>>(
    (given) => given[first] === undefined || given[second] === undefined,
    {
      path: [second],
      error: `given together with ${first}, and ${why}; remove ${first} or ${second}`,
      when: () => true,
    },
  )
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type Named<Fields> = {
  [Name in keyof Fields as CamelCase<Name & string>]: Fields[Name]
}

/** Returns the inputs with their names in code (`poll-interval` becomes `pollInterval`). */
export function named<Fields extends object>(fields: Fields): Named<Fields> {
  const members = Object.entries(fields).map(([name, value]) => [camelCased(name), value] as const)
  return Object.fromEntries(members) as Named<Fields>
}

function camelCased(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
