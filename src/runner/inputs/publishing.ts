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
  const isInTheWay = (result: string, log: string) =>
    isAtOrBelow(result, log) || isAtOrBelow(log, result)
  return changed(fields.check(roomForBoth('result-file', 'log-file', workspace, isInTheWay)), named)
}

/** For many runs, which get a folder of their own each. */
export function batchPublishing(workspace: string) {
  const fields = z.object({
    ...artifact,
    'results-folder': optional(workspacePath(workspace, 'folder')),
    'junit-file': optional(workspacePath(workspace, 'file')),
    ...shown,
  })
  // The report may lie in the folder, but no folder can lie where the report does.
  return changed(
    fields.check(roomForBoth('results-folder', 'junit-file', workspace, isAtOrBelow)),
    named,
  )
}

/** Of two paths to write to, behind symbolic links: both have been seen to be writable. */
function roomForBoth(
  first: string,
  second: string,
  workspace: string,
  isInTheWay: (one: string, other: string) => boolean,
) {
  const targetOf = (file: unknown) =>
    typeof file === 'string' ? resolveTarget(file, workspace).catch(() => file) : undefined
  return z.refine<Record<string, unknown>>(
    async (given) => {
      const [one, other] = await Promise.all([targetOf(given[first]), targetOf(given[second])])
      return one === undefined || other === undefined || !isInTheWay(one, other)
    },
    {
      path: [second],
      error: `in the way of ${first}: both need the same path, for a file or a folder; give another path`,
      when: whenSound(first, second),
    },
  )
}

/** Windows and macOS take names that differ in case for the same. */
function isAtOrBelow(file: string, folder: string): boolean {
  return `${file}${path.sep}`.toLowerCase().startsWith(`${folder}${path.sep}`.toLowerCase())
}
