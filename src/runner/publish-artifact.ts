/** One artifact, or the reason why there is none and what to do about it. */
import type { UploadOrder, UploadReport } from './storage/artifact-client.ts'
import type { Storage } from './storage/step-storage.ts'
import { artifactPageOf } from './workflow-run.ts'
import { describeFileProblem } from '../messages/file-problem.ts'
import type { Step } from './step.ts'

export type ArtifactOutcome =
  | { kind: 'uploaded'; name: string; id: string; url: string; digest: string }
  | Exclude<UploadReport, { kind: 'uploaded' }>

/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refusedCharacters = /["<>|*?:\r\n\\/\p{Cc}]/gu
// The service's own limit is 260; the rest of the room is the runner's.
const maxNameLength = 220

/** The name given, or `<automation>-<execution id>` with refused characters replaced by `-`. */
export function artifactNameFor(
  given: string | undefined,
  automation: string,
  executionId: string,
): string {
  if (given !== undefined) return given
  // The id distinguishes artifacts, so the automation's name is what is cut. An id has at most 200
  // characters ("Start response", as the contract reads it).
  const id = `-${executionId}`.replace(refusedCharacters, '-')
  const room = Math.max(0, maxNameLength - id.length)
  return `${automation.replace(refusedCharacters, '-').slice(0, room)}${id}`.toWellFormed()
}

/**
 * Never rejects: an artifact changes no verdict. `gather` writes and lists the files. Prints nothing:
 * {@link reportArtifact} does.
 */
export async function uploadArtifact(
  gather: () => Promise<UploadOrder>,
  storage: Pick<Storage, 'upload'>,
  { environment, secrets }: Pick<Step, 'environment' | 'secrets'>,
): Promise<ArtifactOutcome> {
  try {
    const order = await gather()
    const report = await storage.upload(order)
    if (report.kind !== 'uploaded') {
      return { ...report, why: secrets.words(report.why).replace(/[.:\s]+$/, '') }
    }
    const { id, digest } = report
    const url = artifactPageOf(environment, id)
    return { kind: 'uploaded', name: order.name, id: String(id), url, digest }
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
