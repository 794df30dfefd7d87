/** Declares the input for the link to the job. */
import { z } from 'zod/mini'
import { changed, givenText, optional } from './text.ts'

// Its default comes from the runner, and is empty on old runners. So no value is refused.
const fields = z.object({ 'job-id': optional(givenText) })

export const jobId = changed(fields, (given) => given['job-id'])
