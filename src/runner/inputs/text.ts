/** The parts of all input schemas: texts, words, booleans, and their problems. */
import { z } from 'zod/mini'

/**
 * A required text without surrounding white space. Rules that are added to it receive the empty
 * text, too, and must accept it. An aborting check would skip the rules about several inputs.
 */
export function requiredText(problem: string) {
  return z.string(problem).check(z.trim(), z.minLength(1, problem))
}

export const givenText = requiredText(
  'required, but empty or not given; give a value (if the value comes from a variable or an output, that variable or output may be missing)',
)

/** The same for an input that has a default in `action.yml`, which an empty text overrides. */
export const settingText = requiredText(
  'empty or not given; give a value, or leave the input out to use its default',
)

/** A text that must be there and fit in one line, such as a name or an identifier. */
export const lineOfText = givenText.check(
  z.refine(isOneLine, {
    error:
      'expected one line of text without control characters, found a line break or another control character',
  }),
  // A message would show the text without it, as if it were right.
  z.refine((text) => findUnseen(text) === undefined, {
    error: ({ input }) =>
      `expected visible characters, found ${String(findUnseen(String(input)))} in ${quote(String(input))}`,
  }),
)

/** An optional input. An empty or blank text counts as not given. */
export function optional<Schema extends z.core.$ZodType>(schema: Schema) {
  const given = z.transform((text: unknown) => (isBlank(text) ? undefined : text))
  return z.pipe(given, z.optional(schema))
}

/** One of several words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.pipe(
    settingText,
    z.enum(words, {
      error: ({ input }) => `expected one of ${words.join(', ')}, found ${quote(String(input))}`,
    }),
  )
}

/**
 * Reads words that are separated by commas or line breaks, as a set. An empty text is an empty set.
 */
export function wordsOutOf<const Word extends string>(known: readonly Word[], expected: string) {
  return (text: string, context: z.core.ParsePayload): ReadonlySet<Word> => {
    const words = text
      .split(/[,\r\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== '')
    const isKnown = (word: string): word is Word => known.some((other) => other === word)
    // Commas alone, or characters that only look like nothing, are a slip and not an empty list.
    const isSlip = words.length === 0 && /[^ \t\r\n]/.test(text)
    const unknown = isSlip ? [text] : words.filter((word) => !isKnown(word))
    if (unknown.length === 0) return new Set(words.filter(isKnown))
    return refuse(context, `expected any of ${expected}, found ${unknown.map(quote).join(', ')}`)
  }
}

/** A whole number, written with digits alone. */
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

/** A boolean as the core schema of YAML 1.2 spells it. */
export const booleanInput = changed(settingText, (text, context) => {
  const value = spellings.get(text)
  return value ?? refuse(context, `expected true or false, found ${quote(text)}`)
})

/** CRLF, CR and LF each end one line. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}

export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text)
}

/** Returns the name (`U+200B`) of the first invisible character. Emoji contain joiners. */
function findUnseen(text: string): string | undefined {
  const [found] = /(?![\u200c\u200d])\p{Cf}/u.exec(text) ?? []
  return found && `U+${hexOf(found).toUpperCase().padStart(4, '0')}`
}

function hexOf(character: string): string {
  return character.codePointAt(0)?.toString(16) ?? ''
}

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === ''
}

/** Returns a value for a problem: in quotes, on one line, and cut if it is long. */
export function quote(text: string): string {
  const start = Array.from(text.slice(0, 200)).slice(0, 60).join('')
  const shown = JSON.stringify(start === text ? text : `${start}…`)
  // JSON does not escape characters that break the line, turn its direction, or are invisible.
  return shown.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) => `\\u{${hexOf(found)}}`)
}

/** Applies `change` to a text that the schema accepts. `change` may refuse the text. */
export function changed<Schema extends z.core.$ZodType, Value>(
  schema: Schema,
  change: (read: z.output<Schema>, context: z.core.ParsePayload) => Value,
) {
  return z.pipe(schema, z.transform(change))
}

function addProblem({ issues, value }: z.core.ParsePayload, message: string): void {
  issues.push({ code: 'custom', message, input: value })
}

// An annotation has room for some problems only.
export const maxProblems = 20

/**
 * Adds the first problems. `count` is the number of all problems, if `problems` is not complete.
 */
export function addProblems(
  context: z.core.ParsePayload,
  problems: readonly string[],
  count = problems.length,
): void {
  const shown = problems.slice(0, maxProblems)
  for (const problem of shown) addProblem(context, problem)
  if (count > shown.length) addProblem(context, `${count - shown.length} more problems`)
}

/** Ends a change with a problem of the input. */
export function refuse(context: z.core.ParsePayload, problem: string): never {
  addProblem(context, problem)
  return z.NEVER
}

/**
 * Runs a rule about several inputs whenever these are sound on their own, whatever problems the
 * others have: all problems are reported at once.
 */
export function whenSound(...names: readonly string[]) {
  return ({ issues }: z.core.ParsePayload) =>
    !issues.some(({ path }) => names.includes(String(path?.[0])))
}

/** Refuses two inputs of which one is enough, whatever else is wrong with either: one has to go. */
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

/** The inputs of a group under their names in code (`poll-interval` is `pollInterval`). */
export function named<Fields extends object>(fields: Fields): Named<Fields> {
  const members = Object.entries(fields).map(([name, value]) => [camelCased(name), value] as const)
  return Object.fromEntries(members) as Named<Fields>
}

function camelCased(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
