/** The inputs that show a run on a commit. What is wrong with them GitHub says: it stops no run. */
import { z } from 'zod/mini'
import { credential } from './connection.ts'
import { secret } from './secret.ts'
import { changed, lineOfText, optional } from './text.ts'

/** Undefined where no status is asked for. */
export type CommitStatusInputs = z.output<typeof commitStatus>

const fields = z.object({
  'commit-status': optional(lineOfText),
  'commit-sha': optional(lineOfText),
  'github-token': secret(optional(credential)),
})

export const commitStatus = changed(fields, (given) => {
  const { 'commit-status': context, 'commit-sha': sha, 'github-token': token } = given
  return context === undefined ? undefined : { context, sha, token }
})
