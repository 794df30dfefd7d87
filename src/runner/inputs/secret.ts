/** Marks schemas as secret. Masking follows from this mark. */
import { z } from 'zod/mini'
import { linesOf } from './text.ts'

/** The parts of an input's raw text that must never be seen. */
export type FindSecrets = (text: string) => string[]

/** One input: its name, its schema, and its text from the runner. */
export interface InputField {
  name: string
  schema: z.core.$ZodType
  text: string | undefined
}

/** Masks of shorter ones hit other words too. */
export const minSecretLength = 6

/** All schemas that are marked as secret. A zod registry holds metadata of schemas. */
const secretSchemas = z.registry<{ find: FindSecrets }>()

/** Declares an input secret: `find` says which parts of its text are. */
export function secret<Schema extends z.ZodMiniType>(
  schema: Schema,
  find: FindSecrets = findWhole,
): Schema {
  // A copy, so that the original schema is not marked.
  const declared = z.clone(schema)
  secretSchemas.add(declared, { find })
  return declared
}

export function isSecret(schema: z.core.$ZodType): boolean {
  return findersOf(schema).length > 0
}

/**
 * Works on the raw texts, since the report of an input's problem comes after the masks.
 * `tooShort`: the inputs whose secret is so short that its mask hits other words too.
 */
export function secretsIn(fields: readonly InputField[]): { values: string[]; tooShort: string[] } {
  const found = fields.map(({ name, schema, text }) => ({
    name,
    values: findersOf(schema)
      .flatMap((find) => find(text ?? ''))
      .filter((value) => value !== ''),
  }))
  const isShort = (value: string) => value.length < minSecretLength
  return {
    values: [...new Set(found.flatMap(({ values }) => values))],
    tooShort: found.filter(({ values }) => values.some(isShort)).map(({ name }) => name),
  }
}

/** The text and each of its lines: a mask works line by line. */
function findWhole(text: string): string[] {
  return [text, ...linesOf(text)].map((part) => part.trim())
}

/** The parts of schemas that contain other schemas: a pipe, a wrapper, a union. */
interface DefinitionWithParts extends z.core.$ZodTypeDef {
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  innerType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
}

/** Finds the marks of a schema, also inside `optional`, rules and transforms. */
function findersOf(schema: z.core.$ZodType): FindSecrets[] {
  const own = secretSchemas.get(schema)?.find
  if (own) return [own]
  const { in: first, out, innerType, options = [] }: DefinitionWithParts = schema._zod.def
  return [first, out, innerType, ...options].flatMap((part) => (part ? findersOf(part) : []))
}
