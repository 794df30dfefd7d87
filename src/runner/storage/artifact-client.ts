/** The artifact client as a service of the thread that has it. */
import { DefaultArtifactClient } from '@actions/artifact'
import type { UploadOrder, UploadReport } from '../artifact/protocol.ts'
import { isCompressible } from './compressible.ts'

/** What a thread with this client offers. */
export interface ArtifactServices {
  upload: { order: UploadOrder; report: UploadReport }
}

/** Never rejects. Prints many lines. */
export async function uploadArtifact(order: UploadOrder): Promise<UploadReport> {
  const { name, files, folder, retentionDays } = order
  const client = new DefaultArtifactClient()
  try {
    const options = {
      ...(retentionDays === undefined ? {} : { retentionDays }),
      ...((await isCompressible(files)) ? {} : { compressionLevel: 0 }),
    }
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
