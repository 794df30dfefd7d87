/** The inputs that show a run on a commit. */
import { z } from 'zod'
import { credential } from './connection.ts'
import { secret } from './secret.ts'
import { givenText, leaveOutAbsent, lineOfText, optional, quote, whenSound } from './text.ts'

/** Undefined where no status is asked for. */
export type CommitStatusInputs = z.output<typeof commitStatus>

const fields = {
  'commit-status': optional(lineOfText),
  'commit-sha': optional(givenText),
  'github-token': secret(optional(credential)),
}

export const commitStatus = z
  .object(fields)
  .refine(hasWholeSha, {
    path: ['commit-sha'],
    error: ({ input }) =>
      `expected a whole commit SHA of 40 or 64 hexadecimal digits, found ${quote(String((input as Given)['commit-sha']))}`,
    when: whenSound('commit-status', 'commit-sha'),
  })
  .transform((given) => {
    const { 'commit-status': context, 'commit-sha': sha, 'github-token': token } = given
    return context === undefined ? undefined : leaveOutAbsent({ context, sha, token })
  })

type Given = z.output<z.ZodObject<typeof fields>>

/** The default comes from GitHub: without a status nobody depends on it, and it stops no run. */
function hasWholeSha({ 'commit-status': context, 'commit-sha': sha }: Given): boolean {
  return context === undefined || sha === undefined || /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(sha)
}
