/** Marks input schemas as secret. The texts of marked inputs are masked. */
import { z } from 'zod/mini'
import { linesOf } from './text.ts'

/** Returns the secret parts of an input's raw text. */
type FindSecrets = (text: string) => string[]

export interface InputField {
  name: string
  schema: z.core.$ZodType
  text: string | undefined
}

/** All schemas that are marked as secret. A zod registry stores data about schemas. */
const secretSchemas = z.registry<{ find: FindSecrets }>()

/** Marks an input as secret. `find` returns the secret parts of the input's text. */
export function secret<Schema extends z.ZodMiniType>(
  schema: Schema,
  find: FindSecrets = findWhole,
): Schema {
  // The schema is copied, so that the original schema is not marked.
  const declared = z.clone(schema)
  secretSchemas.add(declared, { find })
  return declared
}

export function isSecret(schema: z.core.$ZodType): boolean {
  return findersOf(schema).length > 0
}

/** Returns the secrets in the raw texts, because secrets are masked before inputs are parsed. */
export function secretsIn(fields: readonly InputField[]): string[] {
  const found = fields.flatMap(({ schema, text = '' }) =>
    findersOf(schema).flatMap((find) => find(text)),
  )
  return [...new Set(found)].filter((value) => value !== '')
}

/** Returns the text and each of its lines, because the runner masks each line separately. */
function findWhole(text: string): string[] {
  return [text, ...linesOf(text)].map((part) => part.trim())
}

/** The fields in which a zod schema (a pipe, a wrapper or a union) holds other schemas. */
interface DefinitionWithParts extends z.core.$ZodTypeDef {
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  innerType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
}

/** Returns the functions that find the secrets of a schema or of the schemas inside it. */
function findersOf(schema: z.core.$ZodType): FindSecrets[] {
  const own = secretSchemas.get(schema)?.find
  if (own) return [own]
  const { in: first, out, innerType, options = [] }: DefinitionWithParts = schema._zod.def
  return [first, out, innerType, ...options].flatMap((part) => (part ? findersOf(part) : []))
}
