/** One artifact of all that a step's runs left. What goes wrong with it changes no verdict. */
import { describeFileProblem } from '../messages/file-problem.ts'
import {
  publishArtifact,
  type ArtifactOutcome,
  type ArtifactUploader,
} from '../runner/artifact/publish-artifact.ts'
import type { UploadOrder } from '../runner/storage/artifact-client.ts'
import type { Step } from '../runner/step.ts'

/** Never rejects. `gather` writes and lists the files. Prints nothing: {@link reportArtifact} does. */
export async function uploadArtifact(
  gather: () => Promise<UploadOrder>,
  uploader: ArtifactUploader | undefined,
  { environment }: Step,
): Promise<ArtifactOutcome> {
  try {
    return await publishArtifact(await gather(), uploader, environment)
  } catch (error) {
    return { kind: 'failed', why: describeFileProblem(error) }
  }
}

/** Says in log and outputs what became of an artifact. */
export function reportArtifact(
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
