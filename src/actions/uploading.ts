/** One artifact of all that a run left. What goes wrong with it changes no verdict. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { DownloadedFile } from '../download/download.ts'
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
import type { PublishingPlan } from './publishing.ts'

export async function uploadFiles(
  plan: PublishingPlan,
  uploader: ArtifactUploader | undefined,
  step: Step,
): Promise<ArtifactOutcome> {
  const { folder } = plan.files
  const artifact = await (
    folder === undefined
      ? Promise.reject(new Error('there is no folder to put it together in'))
      : uploadFolder({ ...plan, folder }, uploader, step)
  ).catch((error: unknown): ArtifactOutcome => ({
    kind: 'failed',
    why: describeFileProblem(error),
  }))
  tellOfArtifact(artifact, folder, step)
  return artifact
}

async function uploadFolder(
  { files, record, publishing, folder }: PublishingPlan & { folder: string },
  uploader: ArtifactUploader | undefined,
  step: Step,
): Promise<ArtifactOutcome> {
  const recordFile = path.join(folder, 'execution.json')
  const recordText = executionRecord(record, workflowRunOf(step.environment), (text) =>
    step.secrets.show(text),
  )
  await writeFile(recordFile, recordText)
  const { executionId, automation = 'automation' } = record.run
  const order = {
    name: artifactNameFor(publishing.artifactName, automation, executionId),
    files: [pathOf(files.result), pathOf(files.log), recordFile].filter((file) => file !== ''),
    folder,
    retentionDays: publishing.retentionDays,
  }
  return publishArtifact(order, uploader, step.environment)
}

function tellOfArtifact(
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
  const text = `No artifact was uploaded: ${artifact.why}.${rest}`
  if (artifact.kind === 'unsupported') log.notice(text)
  else log.warning(text)
}

/** Empty where there is no file. */
export function pathOf(kept: DownloadedFile): string {
  return kept.kind === 'file' ? kept.path : ''
}
