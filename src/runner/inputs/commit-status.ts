/** Declares the inputs for showing a run as a commit status. */
import { z } from 'zod/mini'
import { credential } from './connection.ts'
import { secret } from './secret.ts'
import { changed, lineOfText, optional, quote } from './text.ts'

/** The values of the inputs. Undefined if no commit status was requested. */
export type CommitStatusInputs = z.output<typeof commitStatus>

// The maximum length, in characters. GitHub answers 422 to a longer context.
const maxContextLength = 255

const context = lineOfText.check(
  z.refine((text) => lengthOf(text) <= maxContextLength, {
    error: ({ input }) =>
      `expected at most ${maxContextLength} characters, found ${lengthOf(String(input))}`,
  }),
)

/** A whole commit SHA. The default from GitHub is a whole SHA or an empty text. */
const wholeSha = lineOfText.check(
  z.refine((text) => /^([0-9a-f]{40}|[0-9a-f]{64})?$/i.test(text), {
    error: ({ input }) =>
      `expected a whole commit SHA of 40 or 64 hexadecimal digits, found ${quote(String(input))}`,
  }),
)

const fields = z.object({
  'commit-status': optional(context),
  'commit-sha': optional(wholeSha),
  'github-token': secret(optional(credential)),
})

export const commitStatus = changed(fields, (given) => {
  const { 'commit-status': context, 'commit-sha': sha, 'github-token': token } = given
  return context === undefined ? undefined : { context, sha, token }
})

function lengthOf(text: string): number {
  return Array.from(text).length
}
