/** Declares the inputs that decide how the result, the log and the summary are published. */
import { z } from 'zod/mini'
import {
  booleanInput,
  changed,
  lineOfText,
  named,
  oneOf,
  optional,
  quote,
  wholeNumberBetween,
} from './text.ts'

/** The name of an artifact. Names that GitHub would refuse are refused before a run is started. */
export const artifactName = lineOfText.check(
  z.refine((name) => /^(?!\.{1,2}$)[^":<>|*?\\/]{0,260}$/.test(name), {
    error: ({ input }) =>
      `expected a name of at most 260 characters, without any of " : < > | * ? \\ /, other than . and .., found ${quote(String(input))}`,
  }),
)

/** The number of days for which GitHub keeps an artifact. GitHub allows at most 400. */
export const retentionDays = wholeNumberBetween(1, 400)

export const publishing = changed(
  z.object({
    'upload-artifact': booleanInput,
    'artifact-name': optional(artifactName),
    'retention-days': optional(retentionDays),
    'print-result': booleanInput,
    'print-log': oneOf(['on-failure', 'always', 'never']),
    summary: booleanInput,
  }),
  named,
)
