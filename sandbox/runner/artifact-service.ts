import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { jsonAnswer, type Answer } from '../http/answer.ts'
import { openLoopbackServer, type LoopbackServer } from '../http/loopback-server.ts'
import { PendingFaults } from '../http/pending-faults.ts'
import { ArtifactStore, type Unfinished, type UploadedArtifact } from './artifact-store.ts'
import { addressOf, answerBlob } from './blobs.ts'
import {
  answer,
  badRoute,
  makeRuntimeToken,
  twirpRefusal,
  unauthenticated,
  type StorageFault,
  type StorageRequest,
} from './storage-request.ts'

export type { UploadedArtifact } from './artifact-store.ts'

/** The calls of an upload, and of a replacement. `blob` transports the bytes. */
export type ArtifactCall = 'create' | 'blob' | 'finalize' | 'list' | 'delete'
type ArtifactFault = StorageFault<ArtifactCall>
type ArtifactRequest = StorageRequest<ArtifactCall>

/**
 * A stand-in for GitHub's artifact service on loopback: the Twirp routes that `@actions/artifact`
 * uses for an upload and a deletion, and a blob store.
 */
export interface ArtifactService extends LoopbackServer {
  /** The value of ACTIONS_RESULTS_URL. */
  url: string
  /** The value of ACTIONS_RUNTIME_TOKEN. */
  token: string
  /** The published artifacts, oldest first. */
  artifacts: UploadedArtifact[]
  /** All requests, in the order of their arrival. */
  requests: ArtifactRequest[]
  inject(fault: ArtifactFault): void
  /** What the service does about artifacts that were created and never finalized. Default: `free`. */
  unfinished: Unfinished
  /** Lets another service share this address and token, as GitHub's services do. */
  mount(other: MountedService): void
}

/** A service that can share the address of another service. */
export interface MountedService {
  /** Returns undefined if the request is for another service. */
  take(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined
  /** Makes the service accept another token, besides its own token. */
  admit(token: string): void
}

const calls: Record<string, ArtifactCall> = {
  CreateArtifact: 'create',
  FinalizeArtifact: 'finalize',
  ListArtifacts: 'list',
  DeleteArtifact: 'delete',
}
const twirp = '/twirp/github.actions.results.api.v1.ArtifactService/'

export async function openArtifactService(): Promise<ArtifactService> {
  const store = new ArtifactStore()
  const faults = new PendingFaults<ArtifactFault>(Infinity)
  const requests: ArtifactRequest[] = []
  const mounted = new Set<MountedService>()
  const token = makeRuntimeToken()
  const server = await openLoopbackServer(async (incoming, response) => {
    for (const other of mounted) {
      const taken = other.take(incoming, response)
      if (taken) return taken
    }
    const { method = '', headers } = incoming
    const address = new URL(incoming.url ?? '/', server.url)
    const call = classify(address)
    const request: ArtifactRequest = { call, method, path: address.pathname, headers, body: '' }
    requests.push(request)
    return answer(incoming, response, request, faults.take([call]), (body) =>
      decide(request, address, body, { store, token }),
    )
  })
  return {
    ...server,
    token,
    artifacts: store.artifacts,
    requests,
    inject: (fault) => faults.inject(fault),
    get unfinished() {
      return store.unfinished
    },
    set unfinished(how) {
      store.unfinished = how
    },
    mount: (other) => {
      mounted.add(other)
      other.admit(token)
    },
  }
}

interface Context {
  store: ArtifactStore
  token: string
}

function decide(
  { call, method, headers, body: text }: ArtifactRequest,
  address: URL,
  body: Buffer,
  { store, token }: Context,
): Answer {
  if (call === 'blob') {
    const upload = store.find(address.pathname.slice('/blobs/'.length))
    return answerBlob(upload, address, method, body)
  }
  if (headers.authorization !== `Bearer ${token}`) return unauthenticated
  if (call === 'create') return answerCreate(store, text, address.origin)
  if (call === 'finalize') return answerFinalize(store, text)
  if (call === 'list') return answerList(store, text)
  if (call === 'delete') return answerDelete(store, text)
  return badRoute
}

const baseSchema = z.object({
  workflow_run_backend_id: z.string(),
  workflow_job_run_backend_id: z.string(),
  name: z.string().min(1),
})
const createRequest = baseSchema.extend({ version: z.number(), expires_at: z.string().optional() })
const listRequest = baseSchema.omit({ name: true }).extend({ name_filter: z.string() })
const finalizeRequest = baseSchema.extend({ size: z.string(), hash: z.string().optional() })

/** Returns a signed address for the upload. Refuses an existing name with GitHub's message. */
function answerCreate(store: ArtifactStore, body: string, url: string): Answer {
  const { name, expires_at } = createRequest.parse(JSON.parse(body))
  const msg = 'an artifact with this name already exists on the workflow run'
  if (store.has(name)) return twirpRefusal(409, 'already_exists', msg)
  const address = addressOf(store.begin(name, expires_at), new URL('blobs/', url))
  return jsonAnswer(200, { ok: true, signed_upload_url: address })
}

/** Publishes the artifact if `size` and `hash` match the uploaded bytes. */
function answerFinalize(store: ArtifactStore, body: string): Answer {
  const { name, size, hash } = finalizeRequest.parse(JSON.parse(body))
  const artifact = store.findUploaded(name)
  if (!artifact) return twirpRefusal(404, 'not_found', 'nothing was uploaded')
  const isWhole = Number(size) === artifact.size && (hash ?? artifact.digest) === artifact.digest
  if (!isWhole) return twirpRefusal(400, 'invalid_argument', 'size or hash do not match')
  store.publish(artifact)
  return jsonAnswer(200, { ok: true, artifact_id: String(artifact.id) })
}

/** Lists the artifacts with the name in the request. */
function answerList(store: ArtifactStore, body: string): Answer {
  const { name_filter: name, ...ids } = listRequest.parse(JSON.parse(body))
  const artifacts = store
    .list(name)
    .map((id) => ({ ...ids, name, database_id: String(id), size: '1' }))
  return jsonAnswer(200, { artifacts })
}

function answerDelete(store: ArtifactStore, body: string): Answer {
  const { name } = baseSchema.parse(JSON.parse(body))
  const id = store.delete(name)
  if (id === undefined) return twirpRefusal(404, 'not_found', 'no artifact to delete')
  return jsonAnswer(200, { ok: true, artifact_id: String(id) })
}

function classify({ pathname }: URL): ArtifactCall | 'other' {
  if (pathname.startsWith('/blobs/')) return 'blob'
  return pathname.startsWith(twirp) ? (calls[pathname.slice(twirp.length)] ?? 'other') : 'other'
}
