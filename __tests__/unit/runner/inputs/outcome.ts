import type { z } from 'zod/mini'

/** Returns the value that a schema reads from a text or a group of texts, or the problems. */
export async function outcome(schema: z.ZodMiniType, text: unknown): Promise<unknown> {
  const { success, data, error } = await schema.safeParseAsync(text)
  return success ? data : { problems: error.issues.map(({ message }) => message) }
}

/** Returns the problems of a text. @throws Error if the text has none. */
export async function problemsOf(schema: z.ZodMiniType, text: unknown): Promise<string[]> {
  const { success, error } = await schema.safeParseAsync(text)
  if (success) throw new Error('the text was accepted, but problems were expected')
  return error.issues.map(({ message }) => message)
}
