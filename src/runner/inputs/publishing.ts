/** Declares the inputs that decide where the result, the log and the summary are written. */
import { z } from 'zod/mini'
import { inputText, type Environment } from '../environment.ts'
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
import { workspacePath } from './workspace-path.ts'

/** The name of an artifact. Names that GitHub would refuse are refused before a run is started. */
export const artifactName = lineOfText.check(
  z.refine((name) => /^(?!\.{1,2}$)[^":<>|*?\\/]{0,260}$/.test(name), {
    error: ({ input }) =>
      `expected a name of at most 260 characters, without any of " : < > | * ? \\ /, other than . and .., found ${quote(String(input))}`,
  }),
)

/** The number of days for which GitHub keeps an artifact. GitHub allows at most 400. */
export const retentionDays = wholeNumberBetween(1, 400)

const artifact = {
  'upload-artifact': booleanInput,
  'artifact-name': optional(artifactName),
  'retention-days': optional(retentionDays),
}

const shown = {
  'print-result': booleanInput,
  'print-log': oneOf(['on-failure', 'always', 'never']),
  summary: booleanInput,
}

/** Returns false only if the input `summary` is false. If the input is invalid, returns true. */
export function isSummaryWanted(environment: Environment): boolean {
  return booleanInput.safeParse(inputText(environment, 'summary')).data !== false
}

export function publishing(workspace: string) {
  const fields = z.object({
    ...artifact,
    'save-result-as': optional(workspacePath(workspace, 'file')),
    'save-log-as': optional(workspacePath(workspace, 'file')),
    ...shown,
  })
  return changed(fields, named)
}

/** Declares the inputs for publishing a batch, in which each run has a separate folder. */
export function batchPublishing(workspace: string) {
  const fields = z.object({
    ...artifact,
    'results-folder': optional(workspacePath(workspace, 'folder')),
    'junit-file': optional(workspacePath(workspace, 'file')),
    ...shown,
  })
  return changed(fields, named)
}
