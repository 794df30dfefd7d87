/** The inputs that say where result, log and summary go. */
import { z } from 'zod'
import { artifactName, retentionDays } from './artifact.ts'
import { booleanInput } from './boolean.ts'
import { leaveOutAbsent } from './given.ts'
import { whenSound } from './rule.ts'
import { oneOf, optional } from './text.ts'
import { canBothBeWritten, workspacePath } from './workspace-path.ts'

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
