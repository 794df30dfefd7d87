/** The upload of an artifact by GitHub's client. */
import { DefaultArtifactClient } from '@actions/artifact'

export interface UploadOrder {
  name: string
  /** Absolute paths below `folder`; the artifact holds them by their path relative to it. */
  files: string[]
  folder: string
  /** Days; undefined leaves it to the repository's setting. */
  retentionDays: number | undefined
}

export type UploadReport =
  | { kind: 'uploaded'; id: number | undefined; digest: string | undefined }
  | { kind: 'failed'; name: string; message: string }

/**
 * Never rejects. Prints many lines. The client ends an upload itself of which no block of 8 MiB
 * arrived for five minutes.
 */
export async function uploadArtifact(order: UploadOrder): Promise<UploadReport> {
  const { name, files, folder, retentionDays } = order
  const client = new DefaultArtifactClient()
  try {
    const options = retentionDays === undefined ? {} : { retentionDays }
    const { id, digest } = await client.uploadArtifact(name, files, folder, options)
    return { kind: 'uploaded', id, digest }
  } catch (error) {
    return failureOf(error)
  }
}

/** The store's client has no words for an answer without a body: its status is all there is. */
function failureOf(error: unknown): UploadReport {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const status = statusOf(error)
  const words = message.trim()
  if (status === undefined || words.includes(status))
    return { kind: 'failed', name, message: words }
  const answered = `the store answered ${status}`
  return { kind: 'failed', name, message: words === '' ? answered : `${answered} (${words})` }
}

function statusOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  return typeof error.statusCode === 'number' ? String(error.statusCode) : undefined
}
