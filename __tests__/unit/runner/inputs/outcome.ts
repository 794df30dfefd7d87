import type { z } from 'zod/mini'

/** What a schema makes of a text, or of a group of them: its value, or the problems it tells. */
export async function outcome(schema: z.ZodMiniType, text: unknown): Promise<unknown> {
  const { success, data, error } = await schema.safeParseAsync(text)
  return success ? data : { problems: error.issues.map(({ message }) => message) }
}

/** The problems of a text that has to have some. */
export async function problemsOf(schema: z.ZodMiniType, text: unknown): Promise<string[]> {
  const { success, error } = await schema.safeParseAsync(text)
  if (success) throw new Error('accepted, where problems were expected')
  return error.issues.map(({ message }) => message)
}
