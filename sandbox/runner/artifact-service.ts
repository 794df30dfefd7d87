import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { answerBlob } from './artifact-blobs.ts'
import {
  type ArtifactCall,
  type ArtifactFault,
  ArtifactFaults,
  replyOf,
} from './artifact-faults.ts'
import { inJson, type Reply } from './artifact-reply.ts'
import { answerCreate, answerFinalize } from './artifact-routes.ts'
import { ArtifactStore, type UploadedArtifact } from './artifact-store.ts'

export type { ArtifactCall, ArtifactFault } from './artifact-faults.ts'
export type { UploadedArtifact } from './artifact-store.ts'

/** A request that reached the service, in order. `body` is text for create and finalize only. */
export interface ArtifactRequest {
  call: ArtifactCall | 'other'
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/**
 * A stand-in of GitHub's artifact service: the Twirp routes that an upload by `@actions/artifact`
 * uses, and the Azure block blob store behind it. Listens on loopback only.
 */
export interface ArtifactService extends AsyncDisposable {
  /** ACTIONS_RESULTS_URL. */
  url: string
  /** ACTIONS_RUNTIME_TOKEN: a JSON web token with the scope of one job, and no true signature. */
  token: string
  /** Finished uploads. */
  artifacts: UploadedArtifact[]
  requests: ArtifactRequest[]
  inject(fault: ArtifactFault): void
  close(): Promise<void>
}

const calls: Record<string, ArtifactCall> = {
  CreateArtifact: 'create',
  FinalizeArtifact: 'finalize',
}
const twirp = '/twirp/github.actions.results.api.v1.ArtifactService/'

export async function openArtifactService(): Promise<ArtifactService> {
  const store = new ArtifactStore()
  const faults = new ArtifactFaults()
  const requests: ArtifactRequest[] = []
  const token = makeToken()
  const server = createServer((request, response) => {
    const context = { store, faults, requests, token, url }
    // A client that went away mid-request is its own business, not a failure of the service.
    answer(request, response, context).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {
    url,
    token,
    artifacts: store.artifacts,
    requests,
    inject: (fault) => faults.inject(fault),
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Context {
  store: ArtifactStore
  faults: ArtifactFaults
  requests: ArtifactRequest[]
  token: string
  url: string
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context) {
  const { method = '', headers } = request
  const address = new URL(request.url ?? '/', context.url)
  const call = classify(address)
  const record: ArtifactRequest = { call, method, path: address.pathname, headers, body: '' }
  context.requests.push(record)
  const fault = call === 'other' ? undefined : context.faults.take(call)
  // Not even read: a stalled store takes no bytes. Closing the service ends the connection.
  if (fault?.fault === 'stall') return
  const body = await buffer(request)
  if (call !== 'blob') record.body = body.toString()
  const reply = fault ? replyOf(fault) : decide(record, address, body, context)
  if (reply) response.writeHead(reply.status, reply.headers).end(reply.body)
  else response.destroy()
}

function decide(record: ArtifactRequest, address: URL, body: Buffer, context: Context): Reply {
  const { call, method, headers } = record
  const { store, token, url } = context
  if (call === 'blob') return answerBlob(store, address, method, body)
  if (headers.authorization !== `Bearer ${token}`)
    return inJson(401, { code: 'unauthenticated', msg: 'invalid token' })
  if (call === 'create') return answerCreate(store, record.body, url)
  if (call === 'finalize') return answerFinalize(store, record.body)
  return inJson(404, { code: 'bad_route', msg: 'no handler for this path' })
}

function classify({ pathname }: URL): ArtifactCall | 'other' {
  if (pathname.startsWith('/blobs/')) return 'blob'
  return pathname.startsWith(twirp) ? (calls[pathname.slice(twirp.length)] ?? 'other') : 'other'
}

function makeToken(): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [
    encode({ alg: 'RS256', typ: 'JWT' }),
    encode({ scp: 'Actions.Results:run-backend-id:job-backend-id' }),
    crypto.getRandomValues(Buffer.alloc(24)).toString('base64url'),
  ].join('.')
}
