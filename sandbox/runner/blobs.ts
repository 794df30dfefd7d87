import { randomUUID } from 'node:crypto'
import { inXml, type Reply } from './reply.ts'

/** The bytes of one upload. */
export interface Blob {
  /** Allows writing to this blob alone, and reading it. */
  signature: string
  blocks: Map<string, Buffer>
  content: Buffer | undefined
}

/**
 * The part of Azure's blob store that the toolkit uses: Put Blob (small ones), Put Block and Put
 * Block List (the others), Get Blob. The address's signature allows it; there are no credentials.
 */
export function answerBlob(
  blob: Blob | undefined,
  address: URL,
  method: string,
  body: Buffer,
): Reply {
  if (blob?.signature !== address.searchParams.get('sig')) return inXml(403, 'AuthenticationFailed')
  if (method === 'PUT') return put(blob, address.searchParams, body)
  if (method !== 'GET') return inXml(405, 'UnsupportedHttpVerb')
  if (!blob.content) return inXml(404, 'BlobNotFound')
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream' },
    body: blob.content,
  }
}

function put(blob: Blob, query: URLSearchParams, body: Buffer): Reply {
  if (query.get('comp') === 'block') blob.blocks.set(query.get('blockid') ?? '', body)
  else if (query.get('comp') === 'blocklist')
    blob.content = Buffer.concat(listBlocks(body).map((id) => blob.blocks.get(id) ?? missing()))
  else blob.content = body
  const lastModified = new Date().toUTCString()
  const headers = { etag: `"${randomUUID()}"`, 'last-modified': lastModified }
  return { status: 201, headers: { ...headers, 'x-ms-version': '2024-11-04' }, body: '' }
}

function listBlocks(xml: Buffer): string[] {
  const entries = xml.toString().matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]+)</g)
  return Array.from(entries, ([, id]) => id ?? '')
}

function missing(): never {
  throw new Error('The block list names a block that was never sent')
}
