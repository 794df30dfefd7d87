import { z } from 'zod'
import type { CacheAccess } from './cache-service.ts'
import type { CacheStore, CacheUpload } from './cache-store.ts'
import { inJson, type Reply } from './reply.ts'

const createRequest = z.object({ key: z.string().min(1), version: z.string().min(1) })
const finalizeRequest = createRequest.extend({ size_bytes: z.string() })
const lookUpRequest = createRequest.extend({ restore_keys: z.array(z.string()).default([]) })

export interface CacheContext {
  store: CacheStore
  access: CacheAccess
  /** Where the bytes of an upload are written and read. */
  addressOf: (upload: CacheUpload) => string
}

/** The service's words for a token that may not write, and for one that may not read. */
export const writeDenied = 'cache write denied: token has no writable scopes'
export const readDenied = 'cache read denied: token has no readable scopes'

/** The service's words for a second entry of one key and version. */
const keyTaken = inJson(409, {
  code: 'already_exists',
  msg: 'cache entry with the same key, version, and scope already exists',
})

/** CreateCacheEntry: an address to upload to, signed for this upload alone. */
export function answerCreate({ store, access, addressOf }: CacheContext, body: string): Reply {
  const { key, version } = createRequest.parse(JSON.parse(body))
  if (access !== 'read-write') return inJson(200, { ok: false, message: writeDenied })
  if (store.isTaken(key, version)) return keyTaken
  const address = addressOf(store.begin(key, version))
  return inJson(200, { ok: true, signed_upload_url: address })
}

/** FinalizeCacheEntryUpload: the upload becomes an entry when the size is that of its bytes. */
export function answerFinalize({ store }: CacheContext, body: string): Reply {
  const request = finalizeRequest.parse(JSON.parse(body))
  const upload = store.findUpload(
    ({ key, version }) => key === request.key && version === request.version,
  )
  if (!upload?.content) return inJson(404, { code: 'not_found', msg: 'nothing was uploaded' })
  if (Number(request.size_bytes) !== upload.content.length)
    return inJson(400, { code: 'invalid_argument', msg: 'size does not match' })
  store.publish(upload, upload.content)
  return inJson(200, { ok: true, entry_id: String(upload.id) })
}

/** GetCacheEntryDownloadURL: a miss is `ok: false`. */
export function answerLookUp({ store, access, addressOf }: CacheContext, body: string): Reply {
  const { key, restore_keys: others, version } = lookUpRequest.parse(JSON.parse(body))
  if (access === 'none') return inJson(403, { code: 'permission_denied', msg: readDenied })
  const entry = store.find([key, ...others], version)
  if (!entry) return inJson(200, { ok: false })
  const address = addressOf(store.uploadOf(entry))
  return inJson(200, { ok: true, signed_download_url: address, matched_key: entry.key })
}
