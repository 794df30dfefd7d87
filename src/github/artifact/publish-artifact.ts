/** One artifact, or the reason why there is none and what to do about it. */
import { statSync } from 'node:fs'
import type { Environment } from '../inputs/environment.ts'
import { artifactPageOf } from '../workflow-run.ts'
import type { UploadOrder, UploadReport } from './protocol.ts'

export type ArtifactOutcome =
  | { kind: 'uploaded'; name: string; id: string; url: string; digest: string }
  /** There is no artifact service here, which is nobody's fault. */
  | { kind: 'unsupported'; why: string }
  | { kind: 'failed'; why: string }

export interface ArtifactUploader {
  upload(order: UploadOrder, bound: number): Promise<UploadReport>
}

/** Whether the runner offers an artifact service; a local or an old one may not. */
export function hasArtifactService(environment: Environment): boolean {
  return Boolean(environment['ACTIONS_RUNTIME_TOKEN'] && environment['ACTIONS_RESULTS_URL'])
}

// A minute for what is stalled; large files get the time that a slow line (2 MB/s) takes for them.
const stalledUpload = 60_000
const bytesPerMillisecond = 2_000
const smallUpload = 64 * 1024 * 1024

/** Never rejects: an artifact changes no verdict. */
export async function publishArtifact(
  order: UploadOrder,
  uploader: ArtifactUploader | undefined,
  environment: Environment,
): Promise<ArtifactOutcome> {
  if (!uploader) return { kind: 'unsupported', why: 'this runner offers no artifact service' }
  const report = await uploader.upload(order, boundFor(order.files))
  if (report.kind === 'failed') return explain(report, order.name)
  const { id, digest } = report
  if (id === undefined) return { kind: 'failed', why: 'the artifact service gave no id for it' }
  const url = artifactPageOf(environment, id)
  return { kind: 'uploaded', name: order.name, id: String(id), url, digest: digest ?? '' }
}

function boundFor(files: readonly string[]): number {
  // A file that is gone is the uploader's to tell of.
  const sizes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return stalledUpload + Math.max(0, bytes - smallUpload) / bytesPerMillisecond
}

function explain(report: { name: string; message: string }, name: string): ArtifactOutcome {
  if (report.name === 'GHESNotSupportedError') {
    return {
      kind: 'unsupported',
      why: 'GitHub Enterprise Server does not support this kind of artifact',
    }
  }
  if (/\b409\b|already exists/i.test(report.message)) {
    const remedy = 'give this step an artifact-name of its own'
    return { kind: 'failed', why: `the name ${name} is already taken in this run; ${remedy}` }
  }
  return { kind: 'failed', why: report.message }
}
