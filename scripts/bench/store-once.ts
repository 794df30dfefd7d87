/**
 * Stores one file as an artifact, as the storage thread does or as the client does by itself, at its
 * default level or without compression, and tells its parent what that took.
 */
import path from 'node:path'
import process from 'node:process'
import { DefaultArtifactClient } from '@actions/artifact'
import { uploadArtifact } from '../../src/runner/storage/artifact-client.ts'
import { peakMemory } from './peak.ts'

const [by, file = ''] = process.argv.slice(2)
const folder = path.dirname(file)

const startedAt = performance.now()
if (by !== 'action') {
  const options = by === 'client, stored' ? { compressionLevel: 0 } : {}
  await new DefaultArtifactClient().uploadArtifact('bench', [file], folder, options)
} else {
  const report = await uploadArtifact({
    name: 'bench',
    files: [file],
    folder,
    retentionDays: undefined,
  })
  if (report.kind === 'failed') throw new Error(report.message)
}
const milliseconds = performance.now() - startedAt
process.send?.({ milliseconds, peak: peakMemory() })
process.disconnect()
