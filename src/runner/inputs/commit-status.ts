/** The inputs that show a run on a commit. */
import { z } from 'zod/mini'
import { credential } from './connection.ts'
import { secret } from './secret.ts'
import { changed, lineOfText, optional, quote } from './text.ts'

/** Undefined if no status was requested. */
export type CommitStatusInputs = z.output<typeof commitStatus>

// Characters. GitHub answers 422 to more.
const maxContextLength = 255

const context = lineOfText.check(
  z.refine((text) => lengthOf(text) <= maxContextLength, {
    error: ({ input }) =>
      `expected at most ${maxContextLength} characters, found ${lengthOf(String(input))}`,
  }),
)

/** The default comes from GitHub, and is whole or empty. */
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
