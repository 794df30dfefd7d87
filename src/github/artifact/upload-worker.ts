/**
 * The thread that uploads. It carries the artifact client, which is most of the action's weight,
 * prints many lines, and can be stopped from outside only together with its thread.
 */
import { parentPort } from 'node:worker_threads'
import { DefaultArtifactClient } from '@actions/artifact'
import type { UploadOrder, UploadReport } from './protocol.ts'

parentPort?.once('message', (order: UploadOrder) => {
  upload(order).then(
    (report) => parentPort?.postMessage(report),
    (error: unknown) => parentPort?.postMessage(failureOf(error)),
  )
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

function failureOf(error: unknown): UploadReport {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'failed', name, message }
}
