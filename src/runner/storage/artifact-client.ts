/** The upload of an artifact by GitHub's client. */
import { stat } from 'node:fs/promises'
import { DefaultArtifactClient } from '@actions/artifact'

export interface UploadOrder {
  name: string
  /** Absolute paths below `folder`; the artifact holds them by their path relative to it. */
  files: string[]
  folder: string
  /** Days; undefined leaves it to the repository's setting. */
  retentionDays: number | undefined
}

/** `why` may hold words of others: redact it before it is cut or shown. */
export type UploadReport =
  | { kind: 'uploaded'; id: number; digest: string }
  /** There is no artifact service here, which is nobody's fault. */
  | { kind: 'unsupported'; why: string }
  | { kind: 'failed'; why: string }

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
      ...((await areCompressed(files)) && { compressionLevel: 0 }),
    }
    const { id, digest = '' } = await client.uploadArtifact(name, files, folder, options)
    if (id === undefined) return { kind: 'failed', why: 'the artifact service gave no id for it' }
    return { kind: 'uploaded', id, digest }
  } catch (error) {
    return explain(error, name)
  }
}

// Extensions of what is compressed already, as a rule: compressing it again takes seconds for each
// 100 MB and saves nothing. `.bin` says nothing about the content, which is rarely a text.
const compressed =
  /\.(?:zip|gz|tgz|bz2|xz|zst|br|7z|rar|jar|png|jpe?g|gif|webp|avif|mp[34]|webm|pdf|docx|xlsx|pptx|parquet|woff2?|bin)$/i

/** Whether most bytes of the files are compressed. The level is one for the whole artifact. */
async function areCompressed(files: readonly string[]): Promise<boolean> {
  let balance = 0
  for (const file of files) {
    const { size } = await stat(file)
    balance += compressed.test(file) ? size : -size
  }
  return balance > 0
}

function explain(error: unknown, artifact: string): UploadReport {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'GHESNotSupportedError') {
    const why = 'GitHub Enterprise Server does not support this kind of artifact'
    return { kind: 'unsupported', why }
  }
  // The client's own error for it, whose status stands in its words alone.
  if (message.includes('Failed request: (409)')) {
    const remedy = 'give this step an artifact-name of its own'
    return { kind: 'failed', why: `the name ${artifact} is already taken in this run; ${remedy}` }
  }
  const words = message.trim()
  const status = statusOf(error)
  // The store's client has no words for an answer without a body: its status is all there is.
  if (status !== undefined && !words.includes(status)) {
    const answered = `the store answered ${status}`
    return { kind: 'failed', why: words === '' ? answered : `${answered} (${words})` }
  }
  return { kind: 'failed', why: words || `the artifact client gave no reason (${name})` }
}

function statusOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  return typeof error.statusCode === 'number' ? String(error.statusCode) : undefined
}
