import { lineOfText, givenText, quote, refuse } from './text.ts'

/** The name of an artifact: what GitHub refuses is refused before anything is started. */
export const artifactName = lineOfText.refine((name) => !/[":<>|*?\\/]/.test(name), {
  error: ({ input }) =>
    `expected a name without any of " : < > | * ? \\ /, found ${quote(String(input))}`,
})

/** Days that an artifact is kept; GitHub allows 400 at most. */
export const retentionDays = givenText.transform((text, context) => {
  const days = /^\d+$/.test(text) ? Number(text) : 0
  if (days >= 1 && days <= 400) return days
  return refuse(context, `expected a whole number from 1 to 400, found ${quote(text)}`)
})
