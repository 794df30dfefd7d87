/** The inputs that say where result, log and summary go. */
import path from 'node:path'
import { z } from 'zod/mini'
import {
  booleanInput,
  changed,
  lineOfText,
  named,
  oneOf,
  optional,
  quote,
  whenSound,
  wholeNumberBetween,
} from './text.ts'
import { resolveTarget } from '../workspace-target.ts'
import { workspacePath } from './workspace-path.ts'

/** The name of an artifact: what GitHub refuses is refused before anything is started. */
export const artifactName = lineOfText.check(
  z.refine((name) => /^(?!\.{1,2}$)[^":<>|*?\\/]{0,260}$/.test(name), {
    error: ({ input }) =>
      `expected a name of at most 260 characters, without any of " : < > | * ? \\ /, other than . and .., found ${quote(String(input))}`,
  }),
)

/** Days that an artifact is kept; GitHub allows 400 at most. */
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

export function publishing(workspace: string) {
  const fields = z.object({
    ...artifact,
    'save-result-as': optional(workspacePath(workspace, 'file')),
    'save-log-as': optional(workspacePath(workspace, 'file')),
    ...shown,
  })
  return changed(fields.check(areApart('save-result-as', 'save-log-as', workspace)), named)
}

/** For many runs, which get a folder of their own each. */
export function batchPublishing(workspace: string) {
  const fields = z.object({
    ...artifact,
    'results-folder': optional(workspacePath(workspace, 'folder')),
    'junit-file': optional(workspacePath(workspace, 'file')),
    ...shown,
  })
  return changed(fields.check(areApart('results-folder', 'junit-file', workspace)), named)
}

/** Two paths to write to are not the same, behind symbolic links, and none lies in the other. */
function areApart(first: string, second: string, workspace: string) {
  // Both have been seen to be writable. A folder that is there is no target itself: a file in it is.
  const resolve = (target: string) =>
    resolveTarget(target, workspace)
      .catch(async () => path.dirname(await resolveTarget(path.join(target, 'file'), workspace)))
      .catch(() => target)
  const isApart = async (given: Record<string, unknown>) => {
    const { [first]: one, [second]: other } = given
    if (typeof one !== 'string' || typeof other !== 'string') return true
    const [real, otherReal] = await Promise.all([resolve(one), resolve(other)])
    return !isAtOrBelow(real, otherReal) && !isAtOrBelow(otherReal, real)
  }
  return z.refine<Record<string, unknown>>(isApart, {
    path: [second],
    error: `lies at ${first}, in it or above it, and one would overwrite the other; give another path`,
    when: whenSound(first, second),
  })
}

/** Windows and macOS take names that differ in case for the same. */
function isAtOrBelow(file: string, folder: string): boolean {
  return `${file}${path.sep}`.toLowerCase().startsWith(`${folder}${path.sep}`.toLowerCase())
}
