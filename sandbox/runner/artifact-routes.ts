import { z } from 'zod'
import type { ArtifactStore } from './artifact-store.ts'
import { inJson, type Reply } from './reply.ts'

const createRequest = z.object({
  workflow_run_backend_id: z.string(),
  workflow_job_run_backend_id: z.string(),
  name: z.string().min(1),
  version: z.number(),
  expires_at: z.string().optional(),
})

const finalizeRequest = z.object({
  workflow_run_backend_id: z.string(),
  workflow_job_run_backend_id: z.string(),
  name: z.string().min(1),
  size: z.string(),
  hash: z.string().optional(),
})

/** The service's own words for a second artifact of one name. */
const nameTaken = inJson(409, {
  code: 'already_exists',
  msg: 'an artifact with this name already exists on the workflow run',
})

/** CreateArtifact: an address to upload to, signed for this upload alone. */
export function answerCreate(store: ArtifactStore, body: string, url: string): Reply {
  const request = createRequest.parse(JSON.parse(body))
  if (store.has(request.name)) return nameTaken
  const upload = store.begin(
    request.name,
    request.expires_at === undefined ? undefined : new Date(request.expires_at),
  )
  const address = new URL(`blobs/${upload.key}?se=2099-01-01&sig=${upload.signature}`, url)
  return inJson(200, { ok: true, signed_upload_url: address.href })
}

/** FinalizeArtifact: the upload becomes an artifact when size and hash are those of its bytes. */
export function answerFinalize(store: ArtifactStore, body: string): Reply {
  const request = finalizeRequest.parse(JSON.parse(body))
  const artifact = store.findUploaded(request.name)
  if (!artifact) return inJson(404, { code: 'not_found', msg: 'nothing was uploaded' })
  const isWhole =
    Number(request.size) === artifact.size && (request.hash ?? artifact.digest) === artifact.digest
  if (!isWhole) return inJson(400, { code: 'invalid_argument', msg: 'size or hash do not match' })
  store.publish(artifact)
  return inJson(200, { ok: true, artifact_id: String(artifact.id) })
}
