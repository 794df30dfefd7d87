import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { type CacheContext, readDenied, writeDenied } from './cache-twirp.ts'
import type { CacheEntry, CacheUpload } from './cache-store.ts'
import { inJson, type Reply } from './reply.ts'

const reserveRequest = z.object({ key: z.string().min(1), version: z.string().min(1) })
const commitRequest = z.object({ size: z.number() })
const nothing: Reply = { status: 204, headers: {}, body: '' }

/** The service's words for a second entry of one key and version. */
const keyTaken = inJson(409, { message: 'Cache already exists.' })

/** GET cache?keys=…&version=…: a miss is 204. */
export function answerGet({ store, access, addressOf }: CacheContext, address: URL): Reply {
  if (access === 'none') return inJson(403, { message: readDenied })
  const keys = address.searchParams.get('keys')?.split(',') ?? []
  const entry = store.find(keys, address.searchParams.get('version') ?? '')
  if (!entry) return nothing
  const archiveLocation = addressOf(store.uploadOf(entry))
  return inJson(200, { ...describe(entry), archiveLocation })
}

/** GET caches?key=…: asked for after a miss when the runner's debug log is on. */
export function answerList({ store }: CacheContext, address: URL): Reply {
  const key = address.searchParams.get('key') ?? ''
  const listed = store.entries.filter((entry) => entry.key.startsWith(key))
  return inJson(200, { totalCount: listed.length, artifactCaches: listed.map(describe) })
}

/** POST caches: the id under which the bytes are sent. */
export function answerReserve({ store, access }: CacheContext, body: string): Reply {
  const { key, version } = reserveRequest.parse(JSON.parse(body))
  if (access !== 'read-write') return inJson(403, { message: writeDenied })
  if (store.isTaken(key, version)) return keyTaken
  return inJson(201, { cacheId: store.begin(key, version).id })
}

/** PATCH caches/ID: one chunk, with its place in `Content-Range: bytes 0-99/*`. */
export function answerChunk(
  upload: CacheUpload | undefined,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Reply {
  const [, start] = /^bytes (\d+)-\d+\/\*$/.exec(headers['content-range'] ?? '') ?? []
  if (!upload || start === undefined) return inJson(400, { message: 'no such chunk' })
  upload.blocks.set(start, body)
  return nothing
}

/** POST caches/ID: the chunks become an entry when the size is that of their bytes. */
export function answerCommit(
  { store }: CacheContext,
  upload: CacheUpload | undefined,
  body: string,
): Reply {
  const { size } = commitRequest.parse(JSON.parse(body))
  const chunks = [...(upload?.blocks ?? [])].sort(([one], [other]) => Number(one) - Number(other))
  const content = Buffer.concat(chunks.map(([, bytes]) => bytes))
  if (!upload || content.length !== size) return inJson(400, { message: 'size does not match' })
  upload.content = content
  store.publish(upload, content)
  return nothing
}

function describe({ key, version }: CacheEntry) {
  return { cacheKey: key, cacheVersion: version, scope: 'refs/heads/main' }
}
