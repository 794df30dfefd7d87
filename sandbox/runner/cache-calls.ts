import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { jsonAnswer, noContent, type Answer } from '../http/answer.ts'
import { addressOf } from './blobs.ts'
import type { CacheStore } from './cache-store.ts'
import { twirpRefusal } from './storage-request.ts'

/** The calls of a cache client. `blob` transports the bytes. */
export type CacheCall = 'look-up' | 'create' | 'blob' | 'finalize'

/** v2 is Twirp at ACTIONS_RESULTS_URL. v1 (GHES, act) is REST at ACTIONS_CACHE_URL. */
export type CacheProtocol = 'v2' | 'v1'

/** With `read`, every save is denied. */
export type CacheAccess = 'read-write' | 'read' | 'none'

/** The call of a request. `store` is the blob store, which checks signatures instead of tokens. */
export interface CacheRoute {
  protocol: CacheProtocol | 'store'
  call: CacheCall | 'other'
  /** For v1, the id of the upload. For `store`, the name of the blob. Otherwise empty. */
  id: string
}

const twirp = '/twirp/github.actions.results.api.v1.CacheService/'
const rest = '/_apis/artifactcache/'
const blobsPath = '/cache-blobs/'

const twirpCalls: Partial<Record<string, CacheCall>> = {
  CreateCacheEntry: 'create',
  FinalizeCacheEntryUpload: 'finalize',
  GetCacheEntryDownloadURL: 'look-up',
}

const restCalls: Partial<Record<string, CacheCall>> = {
  'GET cache': 'look-up',
  'POST caches': 'create',
  'PATCH caches/': 'blob',
  'POST caches/': 'finalize',
}

/** Returns undefined if the path belongs to no cache service. */
export function routeOf(method: string, path: string): CacheRoute | undefined {
  if (path.startsWith(blobsPath)) {
    return { protocol: 'store', call: 'blob', id: path.slice(blobsPath.length) }
  }
  if (path.startsWith(twirp)) {
    const call = method === 'POST' ? twirpCalls[path.slice(twirp.length)] : undefined
    return { protocol: 'v2', call: call ?? 'other', id: '' }
  }
  if (!path.startsWith(rest)) return undefined
  const [, resource = '', id = ''] = /^(.*?)(\d*)$/.exec(path.slice(rest.length)) ?? []
  return { protocol: 'v1', call: restCalls[`${method} ${resource}`] ?? 'other', id }
}

/** A request with a valid token, and all data that the answer needs. */
export interface AuthorizedCall {
  store: CacheStore
  access: CacheAccess
  id: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** The common address of all blobs. */
  blobs: URL
}

type Answers = Partial<Record<CacheRoute['call'], (call: AuthorizedCall) => Answer>>

const keyAndVersion = z.object({ key: z.string().min(1), version: z.string().min(1) })
const finalizeRequest = keyAndVersion.extend({ size_bytes: z.string() })
const lookUpRequest = keyAndVersion.extend({ restore_keys: z.array(z.string()).default([]) })
const commitRequest = z.object({ size: z.number() })

// The messages of GitHub's cache service.
const writeDenied = 'cache write denied: token has no writable scopes'
const readDenied = 'cache read denied: token has no readable scopes'
const keyTaken = 'cache entry with the same key, version, and scope already exists'
const cacheExists = 'Cache already exists.'

const twirpAnswers: Answers = {
  create: ({ store, access, blobs, body }) => {
    const { key, version } = keyAndVersion.parse(readJson(body))
    if (access !== 'read-write') return jsonAnswer(200, { ok: false, message: writeDenied })
    if (store.isTaken(key, version)) return twirpRefusal(409, 'already_exists', keyTaken)
    const address = addressOf(store.begin(key, version), blobs)
    return jsonAnswer(200, { ok: true, signed_upload_url: address })
  },
  /** Publishes the entry if the size matches the uploaded bytes. */
  finalize: ({ store, body }) => {
    const request = finalizeRequest.parse(readJson(body))
    const upload = store.findUpload(
      ({ key, version }) => key === request.key && version === request.version,
    )
    if (!upload?.content) return twirpRefusal(404, 'not_found', 'nothing was uploaded')
    if (Number(request.size_bytes) !== upload.content.length)
      return twirpRefusal(400, 'invalid_argument', 'size does not match')
    store.publish(upload)
    return jsonAnswer(200, { ok: true, entry_id: String(upload.id) })
  },
  'look-up': ({ store, access, blobs, body }) => {
    const { key, restore_keys: others, version } = lookUpRequest.parse(readJson(body))
    if (access === 'none') return twirpRefusal(403, 'permission_denied', readDenied)
    const entry = store.find([key, ...others], version)
    if (!entry) return jsonAnswer(200, { ok: false })
    const address = addressOf(entry, blobs)
    return jsonAnswer(200, { ok: true, signed_download_url: address, matched_key: entry.key })
  },
}

const restAnswers: Answers = {
  'look-up': ({ store, access, blobs, query }) => {
    if (access === 'none') return jsonAnswer(403, { message: readDenied })
    const entry = store.find(query.get('keys')?.split(',') ?? [], query.get('version') ?? '')
    if (!entry) return noContent
    const { key: cacheKey, version: cacheVersion } = entry
    const archiveLocation = addressOf(entry, blobs)
    const scope = 'refs/heads/main'
    return jsonAnswer(200, { cacheKey, cacheVersion, scope, archiveLocation })
  },
  /** Answers with the id of the upload. The client sends the chunks to this id. */
  create: ({ store, access, body }) => {
    const { key, version } = keyAndVersion.parse(readJson(body))
    if (access !== 'read-write') return jsonAnswer(403, { message: writeDenied })
    if (store.isTaken(key, version)) return jsonAnswer(409, { message: cacheExists })
    return jsonAnswer(201, { cacheId: store.begin(key, version).id })
  },
  /** Stores one chunk by its first byte in `Content-Range: bytes 0-99/*`. */
  blob: ({ store, id, headers, body }) => {
    const upload = store.findUpload((one) => String(one.id) === id)
    const [, start] = /^bytes (\d+)-\d+\/\*$/.exec(headers['content-range'] ?? '') ?? []
    if (!upload || start === undefined) return jsonAnswer(400, { message: 'no such chunk' })
    upload.blocks.set(start, body)
    return noContent
  },
  /** Publishes the entry if the size matches the bytes of all chunks. */
  finalize: ({ store, id, body }) => {
    const { size } = commitRequest.parse(readJson(body))
    const upload = store.findUpload((one) => String(one.id) === id)
    const chunks = [...(upload?.blocks ?? [])].sort(([one], [other]) => Number(one) - Number(other))
    const content = Buffer.concat(chunks.map(([, bytes]) => bytes))
    if (!upload || content.length !== size)
      return jsonAnswer(400, { message: 'size does not match' })
    upload.content = content
    store.publish(upload)
    return noContent
  },
}

export const answersOf = { v1: restAnswers, v2: twirpAnswers }

function readJson(body: Buffer): unknown {
  return JSON.parse(body.toString())
}
