/** The inputs that say where result, log and summary go. */
import path, { type PlatformPath } from 'node:path'
import { z } from 'zod'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { resolveTarget } from '../workspace-target.ts'
import {
  booleanInput,
  givenText,
  leaveOutAbsent,
  lineOfText,
  oneOf,
  optional,
  quote,
  refuse,
  whenSound,
} from './text.ts'

export function publishing(workspace: string) {
  return z
    .object({
      'upload-artifact': booleanInput,
      'artifact-name': optional(artifactName),
      'retention-days': optional(retentionDays),
      'result-file': optional(workspacePath(workspace)),
      'log-file': optional(workspacePath(workspace)),
      'print-result': booleanInput,
      'print-log': oneOf(['on-failure', 'always', 'never']),
      summary: booleanInput,
    })
    .refine(hasRoomForBothFiles, {
      path: ['log-file'],
      error: 'would be written over by result-file, or the other way round; give two paths',
      when: whenSound('result-file', 'log-file'),
    })
    .transform((given) =>
      leaveOutAbsent({
        uploadArtifact: given['upload-artifact'],
        artifactName: given['artifact-name'],
        retentionDays: given['retention-days'],
        resultFile: given['result-file'],
        logFile: given['log-file'],
        printResult: given['print-result'],
        printLog: given['print-log'],
        summary: given.summary,
      }),
    )
}

interface Files {
  'result-file'?: string | undefined
  'log-file'?: string | undefined
}

function hasRoomForBothFiles({ 'result-file': result, 'log-file': log }: Files): boolean {
  return result === undefined || log === undefined || canBothBeWritten(result, log)
}

/** The name of an artifact: what GitHub refuses is refused before anything is started. */
export const artifactName = lineOfText.refine((name) => !/[":<>|*?\\/]/.test(name), {
  error: ({ input }) =>
    `expected a name without any of " : < > | * ? \\ /, found ${quote(String(input))}`,
})

/** Days that an artifact is kept; GitHub allows 400 at most. */
export const retentionDays = givenText.transform((text, context) => {
  const days = /^\d+$/.test(text) ? Number(text) : 0
  if (days >= 1 && days <= 400) return days
  return refuse(context, `expected a whole number from 1 to 400, found ${quote(text)}`)
})

/**
 * The absolute path of a file to write, which must lie inside the workspace, symbolic links
 * included, and be writable as far as that can be seen before anything is started. `system` is how
 * paths are written where the action runs.
 */
export function workspacePath(workspace: string, system: PlatformPath = path) {
  return lineOfText.transform(async (text, context) => {
    const absolute = system.resolve(workspace, text)
    const relative = system.relative(workspace, absolute)
    // Another drive's path stays absolute.
    const outside = relative.split(system.sep)[0] === '..' || system.isAbsolute(relative)
    if (outside) {
      return refuse(context, `expected a path inside the workspace, found ${quote(text)}`)
    }
    if (relative === '' || /[\\/]$/.test(text)) {
      return refuse(context, `expected the path of a file, found the folder ${quote(text)}`)
    }
    const problem = await findWriteProblem(absolute, workspace)
    if (problem === undefined) return absolute
    return refuse(
      context,
      `expected the path of a file that can be written, found ${quote(text)}: ${problem}`,
    )
  })
}

async function findWriteProblem(file: string, workspace: string): Promise<string | undefined> {
  try {
    await resolveTarget(file, workspace)
    return undefined
  } catch (error) {
    return describeFileProblem(error)
  }
}

/** Whether two files can both be written: not the same one, and none a folder of the other. */
export function canBothBeWritten(one: string, other: string): boolean {
  // Windows and macOS take names that differ in case for the same.
  const [first, second] = [`${one}${path.sep}`.toLowerCase(), `${other}${path.sep}`.toLowerCase()]
  return !first.startsWith(second) && !second.startsWith(first)
}
