/** Declares the inputs for re-runs of a job. */
import { z } from 'zod/mini'
import { changed, givenText, named, oneOf, optional, settingText } from './text.ts'

const fields = z.object({
  'on-rerun': oneOf(['resume', 'reuse', 'start']),
  'rerun-key': optional(givenText),
  matrix: settingText,
})

export const again = changed(fields, named)

export type Again = z.output<typeof again>
export type OnRerun = Again['onRerun']
