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
  const rule = z.refine<Files>((given) => hasRoomForBoth(given, workspace), {
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
  const rule = z.refine<BatchFiles>(hasRoomForReport, {
    path: ['junit-file'],
    error: 'results-folder needs a folder at this path or below it; give another path',
    when: whenSound('results-folder', 'junit-file'),
  })
  return changed(fields.check(rule), named)
}

interface BatchFiles {
  'results-folder'?: string | undefined
  'junit-file'?: string | undefined
}

/** The report may lie in the folder, but no folder can lie where the report does. */
function hasRoomForReport({ 'results-folder': folder, 'junit-file': report }: BatchFiles): boolean {
  return folder === undefined || report === undefined || !isAtOrBelow(folder, report)
}

interface Files {
  'result-file'?: string | undefined
  'log-file'?: string | undefined
}

/** They are not the same file, behind symbolic links, and none is a folder of the other. */
async function hasRoomForBoth(given: Files, workspace: string): Promise<boolean> {
  const { 'result-file': result, 'log-file': log } = given
  if (result === undefined || log === undefined) return true
  // Both have been seen to be writable.
  const [one, other] = await Promise.all([
    resolveTarget(result, workspace).catch(() => result),
    resolveTarget(log, workspace).catch(() => log),
  ])
  return !isAtOrBelow(one, other) && !isAtOrBelow(other, one)
}

/** Windows and macOS take names that differ in case for the same. */
function isAtOrBelow(file: string, folder: string): boolean {
  return `${file}${path.sep}`.toLowerCase().startsWith(`${folder}${path.sep}`.toLowerCase())
}
