import { readFile } from 'node:fs/promises'
import { messageOf } from '../../src/errors.ts'
import type { UploadedArtifact } from './artifact-store.ts'
import type { Command } from './command.ts'
import { parseCommandFile } from './command-file.ts'
import type { StepFolders } from './step-folders.ts'
import type { Annotation, StepLog } from './step-log.ts'

/** The end of the step's process, and its output. */
export interface ProcessEnd {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** The raw output. */
  stdout: string
  stderr: string
  /** The time from the start to the end of the program, in milliseconds. */
  duration: number
  /** When the program ended, in milliseconds since the epoch. */
  endedAt: number
}

/** The complete result of a step. Disposing removes the folders of the step. */
export interface StepResult extends ProcessEnd, AsyncDisposable {
  /** The masked log, as the runner shows it. Has debug lines only if RUNNER_DEBUG is 1. */
  log: string
  /** All executed commands, in order. */
  commands: Command[]
  annotations: Annotation[]
  /** The values that the command `add-mask` registered. */
  masks: string[]
  outputs: Record<string, string>
  /** The outputs that arrive if the job declares them all. The runner drops those with a mask. */
  jobOutputs: Record<string, string>
  state: Record<string, string>
  exportedEnv: Record<string, string>
  /** The text of the job summary, or '' if the text exceeds the runner's limit. */
  summary: string
  /** All artifacts of the service. If steps share the service, includes earlier artifacts. */
  artifacts: UploadedArtifact[]
  temp: string
  workspace: string
}

// GitHub's limit for the summary of one step, in bytes.
const summaryLimit = 1024 * 1024

export async function collectResult(
  end: ProcessEnd,
  log: StepLog,
  folders: StepFolders,
  artifacts: UploadedArtifact[],
): Promise<Omit<StepResult, typeof Symbol.asyncDispose>> {
  const { files, temp, workspace } = folders
  const outputs = { ...log.outputs, ...(await readPairs('output', files.output, log)) }
  const arriving = Object.entries(outputs).filter(([, value]) => log.hidden.hide(value) === value)
  const state = { ...log.state, ...(await readPairs('state', files.state, log)) }
  const exportedEnv = await readPairs('env', files.env, log)
  const summary = await readFile(files.summary)
  const summaryDropped = summary.length > summaryLimit
  if (summaryDropped)
    log.annotate('error', '$GITHUB_STEP_SUMMARY upload aborted, supports content up to 1024k')
  const { commands, annotations, masks } = log
  return {
    ...end,
    log: log.text,
    commands,
    annotations,
    masks,
    outputs,
    jobOutputs: Object.fromEntries(arriving),
    state,
    exportedEnv,
    summary: summaryDropped ? '' : summary.toString(),
    artifacts,
    temp,
    workspace,
  }
}

async function readPairs(
  kind: string,
  file: string,
  log: StepLog,
): Promise<Record<string, string>> {
  try {
    return parseCommandFile(await readFile(file, 'utf8'))
  } catch (error) {
    log.annotate('error', `Unable to process file command '${kind}' successfully.`)
    log.annotate('error', messageOf(error))
    return {}
  }
}
