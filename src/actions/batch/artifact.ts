/** One artifact of all that a batch left. What goes wrong with it changes no verdict. */
import path from 'node:path'
import type { BatchReport } from '../../execution/batch/batch.ts'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { artifactNameFor } from '../../runner/artifact/name.ts'
import {
  publishArtifact,
  type ArtifactOutcome,
  type ArtifactUploader,
} from '../../runner/artifact/publish-artifact.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'
import { attemptOf } from '../../runner/workflow-run.ts'
import { tellOfArtifact } from '../upload-artifact.ts'
import type { RunFolders } from './run-folders.ts'

interface Place {
  folders: RunFolders
  uploader: ArtifactUploader | undefined
}

/** None where there was nothing to run, and after a cancellation, which leaves no time for it. */
export async function uploadBatch(
  { counts }: BatchReport,
  inputs: BatchInputs,
  place: Place,
  step: Step,
): Promise<ArtifactOutcome | undefined> {
  if (!inputs.publishing.uploadArtifact || counts.total === 0 || step.cancelled.aborted) {
    return undefined
  }
  const artifact = await uploadFolder(inputs, place, step).catch(
    (error: unknown): ArtifactOutcome => ({ kind: 'failed', why: describeFileProblem(error) }),
  )
  tellOfArtifact(artifact, place.folders.folder, step)
  return artifact
}

async function uploadFolder(
  { target, list: { shard }, publishing: { artifactName, retentionDays } }: BatchInputs,
  { folders, uploader }: Place,
  { environment }: Step,
): Promise<ArtifactOutcome> {
  const { folder } = folders
  const attempt = attemptOf(environment)
  // Artifacts of one workflow run share their names with those of its other jobs and attempts.
  const parts = ['batch', shard?.index, attempt > 1 ? attempt : undefined]
  const own = parts.filter((part) => part !== undefined).join('-')
  const name = artifactNameFor(artifactName, target.automation, own)
  const files = (await folders.files()).map((file) => path.join(folder, file))
  return publishArtifact({ name, files, folder, retentionDays }, uploader, environment)
}
