/** Uploads an artifact with GitHub's artifact client. */
import { stat } from 'node:fs/promises'
import { DefaultArtifactClient } from '@actions/artifact'

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
  const client = new DefaultArtifactClient()
  try {
    const options = {
      ...(retentionDays !== undefined && { retentionDays }),
      ...((await areCompressed(files)) && { compressionLevel: 0 }),
    }
    const { id, digest = '' } = await client.uploadArtifact(name, files, folder, options)
    if (id === undefined)
      return { kind: 'failed', why: 'the artifact service gave no id for the artifact' }
    return { kind: 'uploaded', id, digest }
  } catch (error) {
    return explain(error, name)
  }
}

// Extensions of files that are usually compressed. Compressing such files a second time takes
// seconds for each 100 MB and saves no space. `.bin` files are in the list because they are rarely
// text.
const compressed =
  /\.(?:zip|gz|tgz|bz2|xz|zst|br|7z|rar|jar|png|jpe?g|gif|webp|avif|mp[34]|webm|pdf|docx|xlsx|pptx|parquet|woff2?|bin)$/i

/** Returns true if most bytes are in compressed files. All files get the same compression level. */
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
  // Status 409 means that an artifact with this name exists. Only the message contains the status.
  if (message.includes('Failed request: (409)')) {
    const remedy = 'give this step an artifact-name of its own'
    return { kind: 'failed', why: `the name ${artifact} is already taken in this run; ${remedy}` }
  }
  const words = message.trim()
  const status = statusOf(error)
  // If the response has no body, the error has only a status and no message.
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
