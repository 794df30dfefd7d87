/** The inputs that say what happens when the job runs again. */
import { z } from 'zod/mini'
import { changed, givenText, oneOf, optional, settingText } from './text.ts'

export const again = changed(
  z.object({
    'on-rerun': oneOf(['resume', 'reuse', 'start']),
    'rerun-key': optional(givenText),
    matrix: settingText,
  }),
  (given) => ({
    onRerun: given['on-rerun'],
    rerunKey: given['rerun-key'] ?? '',
    matrix: given.matrix,
  }),
)

export type Again = z.output<typeof again>
export type OnRerun = Again['onRerun']
