/** Publishes the files of a run as outputs and as one artifact. */
import path from 'node:path'
import { lastLines } from '../cut.ts'
import { savedPathOf } from '../download/download.ts'
import type { CollectedFiles } from '../download/collect.ts'
import type { Collected, RunReport } from '../execution/report.ts'
import { printFacts, rowOf } from '../messages/row-of.ts'
import type { ExecutionUrlOf } from '../messages/execution-url.ts'
import { describeSize } from '../messages/quantities.ts'
import type { ResultHead } from '../messages/summary/result.ts'
import {
  artifactNameFor,
  publishArtifact,
  replacesEarlier,
  type Artifact,
} from '../runner/publish-artifact.ts'
import type { RunInputs } from '../runner/inputs/action-inputs.ts'
import type { UploadOrder } from '../runner/storage/clients.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { RunOutput } from '../runner/outputs.ts'
import type { Step } from '../runner/step.ts'
import { writeWhole } from '../runner/files.ts'
import { workflowRunOf } from '../runner/environment.ts'
import { readLogEnd, readResultHead } from './file-ends.ts'

interface PublishContext {
  inputs: Pick<RunInputs, 'publishing' | 'jobId'>
  storage: Pick<Storage, 'upload'>
  executionUrlOf: ExecutionUrlOf
}

export interface Published {
  /** The end of the log, redacted. Empty if there is no log. */
  logTail: string
  /** The beginning of the result, which may contain secrets. Undefined if there is no result. */
  result: ResultHead | undefined
  artifact: Artifact | undefined
}

// The maximum sizes of the outputs `result` and `log`, in bytes. On Linux, the next step can take
// 128 KiB in one environment variable or input. GitHub allows 1 MB of outputs per job, as UTF-16.
export const maxResultOutput = 120 * 1024
export const maxLogOutput = 64 * 1024
/** The maximum number of log bytes that the step prints. The log file contains the whole log. */
export const maxLogShown = 1024 * 1024

/** Publishes the files of a run. Returns nothing if the end of the run was not seen. */
export async function publishFiles(
  report: RunReport,
  context: PublishContext,
  step: Step<RunOutput>,
): Promise<Partial<Published>> {
  const { end } = report
  if (end.kind !== 'collected') return {}
  const { inputs, storage } = context
  const { files } = end
  step.log.title('Publish')
  step.outputs.set({
    'result-file': savedPathOf(files.result),
    'log-file': savedPathOf(files.log),
  })
  const texts = await publishTexts(files, step)
  const gather = () => gatherFiles(report, end, context, step)
  const artifact = inputs.publishing.uploadArtifact
    ? await publishArtifact(gather, files.folder, storage, step)
    : undefined
  return { ...texts, artifact }
}

const maskedResult =
  'The result contains a masked value. GitHub would drop it as an output of the job: pass the artifact on instead.'

async function publishTexts(
  { result, log }: CollectedFiles,
  step: Step<'result' | 'log'>,
): Promise<Pick<Published, 'result' | 'logTail'>> {
  const head =
    result.kind === 'file'
      ? await readResultHead(result.path, maxResultOutput, step.secrets)
      : undefined
  const whole = head?.complete ? head.text : undefined
  if (head && whole === undefined) {
    const why = head.complete
      ? 'is not UTF-8 text'
      : `has ${head.size} bytes, more than ${describeSize(maxResultOutput)}`
    step.log.info(
      `The result ${why}, so the output result stays empty. Use the output result-file.`,
    )
  }
  const logEnd = log.kind === 'file' ? await readLogEnd(log.path, maxLogShown, step.secrets) : ''
  if (logEnd === undefined) {
    step.log.info('The log is not text, so it is not shown. Use the output log-file.')
  }
  const logTail = logEnd ?? ''
  // `fromJSON` fails on a byte order mark. The file keeps it.
  const passedOn = whole?.replace(/^\ufeff/, '') ?? ''
  step.outputs.set({ result: passedOn, log: lastLines(logTail, maxLogOutput) })
  if (step.secrets.hasMasked(passedOn)) step.log.info(maskedResult)
  if (!head || result.kind !== 'file') return { result: undefined, logTail }
  const { path: file, mediaType } = result
  return { result: { ...head, name: path.basename(file), mediaType }, logTail }
}

/** Writes `execution.json`, and returns all files of the run for the artifact. */
async function gatherFiles(
  report: RunReport,
  end: Collected,
  context: PublishContext,
  step: Step,
): Promise<UploadOrder> {
  const { folder, result, log } = end.files
  if (folder === undefined) throw new Error('there is no folder for its files')
  const factsFile = path.join(folder, 'execution.json')
  await writeWhole(factsFile, [executionJson(report, folder, context, step)])
  const { automation } = report.target ?? { automation: 'automation' }
  const { artifactName, retentionDays } = context.inputs.publishing
  const name = artifactNameFor(artifactName, automation, end.executionId, step)
  const paths = [savedPathOf(result), savedPathOf(log), factsFile].filter((file) => file !== '')
  const replaces = replacesEarlier(artifactName, step)
  return { name, files: paths, folder, retentionDays, replaces }
}

function executionJson(
  report: RunReport,
  folder: string,
  { executionUrlOf, inputs: { jobId } }: PublishContext,
  { environment, secrets: { show } }: Step,
): string {
  const { project, automation } = report.target ?? {}
  const workflowRun = workflowRunOf(environment, jobId)
  const facts = rowOf(report, { project, automation, workflowRun, executionUrlOf, folder, show })
  return `${printFacts(facts, show, 2)}\n`
}
