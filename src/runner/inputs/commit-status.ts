/** Declares the inputs for showing a run as a commit status. */
import { z } from 'zod/mini'
import { credential } from './connection.ts'
import { secret } from './secret.ts'
import { changed, lineOfText, named, optional } from './text.ts'

const fields = z.object({
  'commit-status': optional(lineOfText),
  'commit-sha': optional(lineOfText),
  'github-token': secret(optional(credential)),
})

export const commitStatus = changed(fields, named)
