/**
 * The thread that uploads. It carries the artifact client, which is most of the action's weight,
 * prints many lines, and can be stopped from outside only together with its thread.
 */
import { parentPort } from 'node:worker_threads'
import { DefaultArtifactClient } from '@actions/artifact'
import type { UploadMessage, UploadOrder, UploadReport } from './protocol.ts'
import { watchTraffic } from './traffic.ts'

parentPort?.once('message', (order: UploadOrder) => {
  const report = (message: UploadMessage) => parentPort?.postMessage(message)
  watchTraffic(() => report({ kind: 'progress' }))
  upload(order).then(report, (error: unknown) => report(failureOf(error)))
})

async function upload({ name, files, folder, retentionDays }: UploadOrder): Promise<UploadReport> {
  const client = new DefaultArtifactClient()
  const { id, digest } = await client.uploadArtifact(
    name,
    files,
    folder,
    retentionDays === undefined ? {} : { retentionDays },
  )
  return { kind: 'uploaded', id, digest }
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
