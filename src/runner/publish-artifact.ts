/** One artifact, or the reason why there is none and what to do about it. */
import { inline } from '../messages/text/untrusted-text.ts'
import type { Environment } from './inputs/environment.ts'
import type { UploadOrder, UploadReport } from './storage/artifact-client.ts'
import { artifactPageOf } from './workflow-run.ts'
import { describeFileProblem } from '../messages/file-problem.ts'
import type { Step } from './step.ts'

export type ArtifactOutcome =
  | { kind: 'uploaded'; name: string; id: string; url: string; digest: string }
  /** There is no artifact service here, which is nobody's fault. */
  | { kind: 'unsupported'; why: string }
  | { kind: 'failed'; why: string }

export interface ArtifactUploader {
  upload(order: UploadOrder): Promise<UploadReport>
}

/** Whether the runner offers an artifact service; a local or an old one may not. */
export function hasArtifactService(environment: Environment): boolean {
  return Boolean(environment['ACTIONS_RUNTIME_TOKEN'] && environment['ACTIONS_RESULTS_URL'])
}

/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refusedCharacters = /["<>|*?:\r\n\\/\p{Cc}]/gu
// The service's own limit is 260; the rest of the room is the runner's.
const maxNameLength = 220
const maxReasonLength = 500

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
  uploader: ArtifactUploader | undefined,
  { environment }: Pick<Step, 'environment'>,
): Promise<ArtifactOutcome> {
  try {
    const order = await gather()
    if (!uploader) return { kind: 'unsupported', why: 'this runner offers no artifact service' }
    const report = await uploader.upload(order)
    if (report.kind === 'failed') return explain(report, order.name)
    const { id, digest } = report
    if (id === undefined) return { kind: 'failed', why: 'the artifact service gave no id for it' }
    const url = artifactPageOf(environment, id)
    return { kind: 'uploaded', name: order.name, id: String(id), url, digest: digest ?? '' }
  } catch (error) {
    return { kind: 'failed', why: describeFileProblem(error) }
  }
}

function explain(report: { name: string; message: string }, name: string): ArtifactOutcome {
  if (report.name === 'GHESNotSupportedError') {
    return {
      kind: 'unsupported',
      why: 'GitHub Enterprise Server does not support this kind of artifact',
    }
  }
  // The client's own error for it, whose status stands in its words alone.
  if (report.message.includes('Failed request: (409)')) {
    const remedy = 'give this step an artifact-name of its own'
    return { kind: 'failed', why: `the name ${name} is already taken in this run; ${remedy}` }
  }
  const why = inline(report.message, maxReasonLength).replace(/[.:\s]+$/, '')
  return {
    kind: 'failed',
    why: why === '' ? `the artifact client gave no reason (${report.name})` : why,
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
