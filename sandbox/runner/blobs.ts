import { randomUUID } from 'node:crypto'
import { bodyOf, storeRefusal, textAnswer, type Answer } from '../http/answer.ts'

/** The bytes of one upload. */
export interface Blob {
  /** The last segment of the blob's address. */
  blob: string
  /** Allows a client to read and write this blob, and no other blob. */
  signature: string
  blocks: Map<string, Buffer>
  content: Buffer | undefined
}

export function newBlob(): Blob {
  return { blob: randomUUID(), signature: randomUUID(), blocks: new Map(), content: undefined }
}

/** Returns the signed address of a blob. `folder` is the common address of all blobs. */
export function addressOf({ blob, signature }: Blob, folder: URL): string {
  return new URL(`${blob}?se=2099-01-01&sig=${signature}`, folder).href
}

/**
 * Answers the requests to Azure's blob store that GitHub's clients send: Get Blob, Put Blob for
 * small files, Put Block and Put Block List for large files. The signature is the only credential.
 */
export function answerBlob(
  blob: Blob | undefined,
  { searchParams }: URL,
  method: string,
  body: Buffer,
): Answer {
  if (blob?.signature !== searchParams.get('sig')) return storeRefusal(403, 'AuthenticationFailed')
  if (method === 'PUT') return put(blob, searchParams, body)
  if (method !== 'GET') return storeRefusal(405, 'UnsupportedHttpVerb')
  if (!blob.content) return storeRefusal(404, 'BlobNotFound')
  return textAnswer(200, 'application/octet-stream', blob.content)
}

function put(blob: Blob, query: URLSearchParams, body: Buffer): Answer {
  if (query.get('comp') === 'block') blob.blocks.set(query.get('blockid') ?? '', body)
  else if (query.get('comp') === 'blocklist')
    blob.content = Buffer.concat(listBlocks(body).map((id) => blob.blocks.get(id) ?? missing()))
  else blob.content = body
  const lastModified = new Date().toUTCString()
  const headers = { etag: `"${randomUUID()}"`, 'last-modified': lastModified }
  return {
    status: 201,
    headers: { ...headers, 'x-ms-version': '2024-11-04' },
    body: bodyOf(''),
  }
}

function listBlocks(xml: Buffer): string[] {
  const entries = xml.toString().matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]+)</g)
  return Array.from(entries, ([, id]) => id ?? '')
}

function missing(): never {
  throw new Error('The block list names a block that was never sent')
}
