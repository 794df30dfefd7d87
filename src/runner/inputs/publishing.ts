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
    'result-file': optional(workspacePath(workspace, 'file')),
    'log-file': optional(workspacePath(workspace, 'file')),
    ...shown,
  })
  const hasRoom = ({ 'result-file': result, 'log-file': log }: Files) =>
    areApart(result, log, workspace)
  const rule = z.refine<Files>(hasRoom, {
    path: ['log-file'],
    error: 'would be overwritten by result-file, or overwrite it; give two paths',
    when: whenSound('result-file', 'log-file'),
  })
  return changed(fields.check(rule), named)
}

/** For many runs, which get a folder of their own each. */
export function batchPublishing(workspace: string) {
  const fields = z.object({
    ...artifact,
    'results-folder': optional(workspacePath(workspace, 'folder')),
    'junit-file': optional(workspacePath(workspace, 'file')),
    ...shown,
  })
  const hasRoom = ({ 'results-folder': folder, 'junit-file': report }: BatchFiles) =>
    areApart(folder, report, workspace)
  const rule = z.refine<BatchFiles>(hasRoom, {
    path: ['junit-file'],
    error:
      'must lie neither in results-folder nor above it, whose files would be overwritten; give another path',
    when: whenSound('results-folder', 'junit-file'),
  })
  return changed(fields.check(rule), named)
}

interface BatchFiles {
  'results-folder'?: string | undefined
  'junit-file'?: string | undefined
}

interface Files {
  'result-file'?: string | undefined
  'log-file'?: string | undefined
}

/** They are not the same, behind symbolic links, and none lies in the other. */
async function areApart(
  one: string | undefined,
  other: string | undefined,
  workspace: string,
): Promise<boolean> {
  if (one === undefined || other === undefined) return true
  // Both have been seen to be writable. A folder that is there is no target itself: a file in it is.
  const resolve = (target: string) =>
    resolveTarget(target, workspace)
      .catch(async () => path.dirname(await resolveTarget(path.join(target, 'file'), workspace)))
      .catch(() => target)
  const [first, second] = await Promise.all([resolve(one), resolve(other)])
  return !isAtOrBelow(first, second) && !isAtOrBelow(second, first)
}

/** Windows and macOS take names that differ in case for the same. */
function isAtOrBelow(file: string, folder: string): boolean {
  return `${file}${path.sep}`.toLowerCase().startsWith(`${folder}${path.sep}`.toLowerCase())
}
