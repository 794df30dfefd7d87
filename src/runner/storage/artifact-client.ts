/** The upload of an artifact by GitHub's client. */
import path from 'node:path'
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
    const options = {
      ...(retentionDays !== undefined && { retentionDays }),
      ...(resultsAreCompressed(files) && { compressionLevel: 0 }),
    }
    const { id, digest } = await client.uploadArtifact(name, files, folder, options)
    return { kind: 'uploaded', id, digest }
  } catch (error) {
    return failureOf(error)
  }
}

// Extensions of what is compressed already, as a rule: compressing it again takes seconds for each
// 100 MB and saves nothing. `.bin` is a result of a media type that is not known.
const compressed =
  /\.(?:zip|gz|tgz|bz2|xz|zst|br|7z|rar|jar|png|jpe?g|gif|webp|avif|mp[34]|webm|pdf|docx|xlsx|pptx|parquet|woff2?|bin)$/i

/** The level is one for the whole artifact, and its results are most of it. */
function resultsAreCompressed(files: readonly string[]): boolean {
  const results = files.filter((file) => path.basename(file).startsWith('result.'))
  return results.length > 0 && results.every((file) => compressed.test(file))
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
