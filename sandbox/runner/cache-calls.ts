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

/** With `read`, every save is denied, as for pull requests from forks. */
export type CacheAccess = 'read-write' | 'read' | 'none'

/** Which call a request is. `store`: of the blob store, which takes signatures and no token. */
export interface CacheRoute {
  protocol: CacheProtocol | 'store'
  call: CacheCall | 'other'
  /** The upload's id of v1, or the blob's name. */
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

/** Returns undefined if no cache has this path. */
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

/** An allowed request, with the data to answer it from. */
export interface CacheOrder {
  store: CacheStore
  access: CacheAccess
  id: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** The address of all entries' bytes. */
  blobs: URL
}

type Answers = Partial<Record<CacheRoute['call'], (order: CacheOrder) => Answer>>

const named = z.object({ key: z.string().min(1), version: z.string().min(1) })
const finalizeRequest = named.extend({ size_bytes: z.string() })
const lookUpRequest = named.extend({ restore_keys: z.array(z.string()).default([]) })
const commitRequest = z.object({ size: z.number() })

/** The service's words for a token that may not write, and for one that may not read. */
const writeDenied = 'cache write denied: token has no writable scopes'
const readDenied = 'cache read denied: token has no readable scopes'
/** And for a second entry of one key and version, of v2 and of v1. */
const keyTaken = 'cache entry with the same key, version, and scope already exists'
const cacheExists = 'Cache already exists.'

const twirpAnswers: Answers = {
  /** An address to upload to, signed for this upload alone. */
  create: ({ store, access, blobs, body }) => {
    const { key, version } = named.parse(readJson(body))
    if (access !== 'read-write') return jsonAnswer(200, { ok: false, message: writeDenied })
    if (store.isTaken(key, version)) return twirpRefusal(409, 'already_exists', keyTaken)
    const address = addressOf(store.begin(key, version), blobs)
    return jsonAnswer(200, { ok: true, signed_upload_url: address })
  },
  /** The upload becomes an entry when the size is that of its bytes. */
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
  /** A miss is `ok: false`. */
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
  /** `?keys=…&version=…`: a miss is 204. */
  'look-up': ({ store, access, blobs, query }) => {
    if (access === 'none') return jsonAnswer(403, { message: readDenied })
    const entry = store.find(query.get('keys')?.split(',') ?? [], query.get('version') ?? '')
    if (!entry) return noContent
    const { key: cacheKey, version: cacheVersion } = entry
    const archiveLocation = addressOf(entry, blobs)
    const scope = 'refs/heads/main'
    return jsonAnswer(200, { cacheKey, cacheVersion, scope, archiveLocation })
  },
  /** The id under which the bytes are sent. */
  create: ({ store, access, body }) => {
    const { key, version } = named.parse(readJson(body))
    if (access !== 'read-write') return jsonAnswer(403, { message: writeDenied })
    if (store.isTaken(key, version)) return jsonAnswer(409, { message: cacheExists })
    return jsonAnswer(201, { cacheId: store.begin(key, version).id })
  },
  /** One chunk. `Content-Range: bytes 0-99/*` says to which bytes it belongs. */
  blob: ({ store, id, headers, body }) => {
    const upload = store.findUpload((one) => String(one.id) === id)
    const [, start] = /^bytes (\d+)-\d+\/\*$/.exec(headers['content-range'] ?? '') ?? []
    if (!upload || start === undefined) return jsonAnswer(400, { message: 'no such chunk' })
    upload.blocks.set(start, body)
    return noContent
  },
  /** The chunks become an entry when the size is that of their bytes. */
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
