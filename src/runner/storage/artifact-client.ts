/** Uploads an artifact with GitHub's artifact client. */
import { DefaultArtifactClient } from '@actions/artifact'
import { messageOf } from '../../errors.ts'

export interface UploadOrder {
  name: string
  /** Absolute paths of files in `folder`. The artifact keeps the paths relative to `folder`. */
  files: string[]
  folder: string
  /** How many days GitHub keeps the artifact. If undefined, the repository's setting decides. */
  retentionDays: number | undefined
}

/** `why` may contain untrusted text. Redact the complete text before you shorten or show a part. */
export type UploadReport =
  | { kind: 'uploaded'; id: number; digest: string }
  /** The server or the runner does not support this kind of artifact. */
  | { kind: 'unsupported'; why: string }
  | { kind: 'failed'; why: string }

/**
 * Uploads an artifact. Never rejects. GitHub's client prints many lines. The client stops an upload
 * if no block of 8 MiB was transferred in five minutes.
 */
export async function uploadArtifact(order: UploadOrder): Promise<UploadReport> {
  const { name, files, folder, retentionDays } = order
  const options = retentionDays === undefined ? {} : { retentionDays }
  try {
    const client = new DefaultArtifactClient()
    const { id, digest = '' } = await client.uploadArtifact(name, files, folder, options)
    if (id === undefined) throw new Error('the artifact service gave no id for the artifact')
    return { kind: 'uploaded', id, digest }
  } catch (error) {
    const isUnsupported = error instanceof Error && error.name === 'GHESNotSupportedError'
    const why = messageOf(error) || String(error)
    return { kind: isUnsupported ? 'unsupported' : 'failed', why }
  }
}
