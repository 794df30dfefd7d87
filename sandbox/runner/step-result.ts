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
  /** Milliseconds from the program's start to its end. */
  duration: number
  /** When that was, in milliseconds since the epoch. */
  endedAt: number
}

/** The complete outcome of a step. Disposing removes its folders. */
export interface StepResult extends ProcessEnd, AsyncDisposable {
  /**
   * The log as the runner shows it: commands executed, masks applied, debug lines only with
   * RUNNER_DEBUG.
   */
  log: string
  /** Every command executed, in order. */
  commands: Command[]
  annotations: Annotation[]
  /** Values registered by `add-mask`. */
  masks: string[]
  debug: string[]
  /** Whole, also those named in `droppedOutputs`. */
  outputs: Record<string, string>
  /** Outputs that no other job would get, because they hold a masked value. */
  droppedOutputs: string[]
  state: Record<string, string>
  exportedEnv: Record<string, string>
  /** The summary's text as written, or '' if the runner would drop it. */
  summary: string
  /** The artifacts of the service, including those of earlier steps if it is shared. */
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
  const state = { ...log.state, ...(await readPairs('state', files.state, log)) }
  const exportedEnv = await readPairs('env', files.env, log)
  const summary = await readFile(files.summary)
  const summaryDropped = summary.length > summaryLimit
  if (summaryDropped)
    log.annotate('error', '$GITHUB_STEP_SUMMARY upload aborted, supports content up to 1024k')
  const { commands, annotations, masks, debug } = log
  return {
    ...end,
    log: log.text,
    commands,
    annotations,
    masks,
    debug,
    outputs,
    state,
    exportedEnv,
    droppedOutputs: Object.keys(outputs).filter((name) => log.hidden.isIn(outputs[name] ?? '')),
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
