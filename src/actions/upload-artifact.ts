/** One artifact of all that a run left. What goes wrong with it changes no verdict. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CollectedFiles } from '../download/collect.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { artifactNameFor } from '../runner/artifact/name.ts'
import {
  publishArtifact,
  type ArtifactOutcome,
  type ArtifactUploader,
} from '../runner/artifact/publish-artifact.ts'
import { describeFileProblem } from '../messages/file-problem.ts'
import { workflowRunOf } from '../runner/workflow-run.ts'
import type { Step } from '../runner/step.ts'
import { executionRecord } from '../messages/execution-record.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import { pathOf } from '../download/download.ts'

type Publishing = Pick<RunInputs['publishing'], 'artifactName' | 'retentionDays'>

/** Never rejects. Prints nothing: {@link tellOfArtifact} does. */
export async function uploadArtifact(
  report: ExecutionReport,
  files: CollectedFiles,
  publishing: Publishing,
  uploader: ArtifactUploader | undefined,
  step: Step,
): Promise<ArtifactOutcome> {
  return uploadFolder(report, files, publishing, uploader, step).catch(
    (error: unknown): ArtifactOutcome => ({ kind: 'failed', why: describeFileProblem(error) }),
  )
}

async function uploadFolder(
  report: ExecutionReport,
  { folder, result, log }: CollectedFiles,
  { artifactName, retentionDays }: Publishing,
  uploader: ArtifactUploader | undefined,
  { environment, secrets }: Step,
): Promise<ArtifactOutcome> {
  if (folder === undefined) throw new Error('there is no folder to put it together in')
  const recordFile = path.join(folder, 'execution.json')
  const show = secrets.show
  await writeFile(recordFile, executionRecord(report, workflowRunOf(environment), show))
  const { automation = 'automation', attempts } = report
  const executionId = report.executionId ?? attempts.at(-1)?.executionId ?? ''
  const name = artifactNameFor(artifactName, automation, executionId)
  const files = [pathOf(result), pathOf(log), recordFile].filter((file) => file !== '')
  return publishArtifact({ name, files, folder, retentionDays }, uploader, environment)
}

/** Says in log and outputs what became of an artifact. */
export function tellOfArtifact(
  artifact: ArtifactOutcome,
  folder: string | undefined,
  { outputs, log }: Step,
): void {
  if (artifact.kind === 'uploaded') {
    const { name, id, url, digest } = artifact
    outputs.set('artifact-name', name)
    outputs.set('artifact-id', id)
    outputs.set('artifact-url', url)
    outputs.set('artifact-digest', digest)
    log.info(`Artifact ${name}: ${url}`)
    return
  }
  for (const name of ['name', 'id', 'url', 'digest'] as const) outputs.set(`artifact-${name}`, '')
  const rest = folder === undefined ? '' : ` The files are in ${folder}.`
  log.note(`artifact-${artifact.kind}`, { why: artifact.why, rest })
}
