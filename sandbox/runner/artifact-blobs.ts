import { randomUUID } from 'node:crypto'
import { inXml, type Reply } from './artifact-reply.ts'
import type { ArtifactStore } from './artifact-store.ts'

/**
 * The part of Azure's blob store that an upload uses: Put Blob (small ones), Put Block and
 * Put Block List (the others). The address's signature allows it; there are no credentials.
 */
export function answerBlob(
  store: ArtifactStore,
  address: URL,
  method: string,
  body: Buffer,
): Reply {
  const upload = store.find(address.pathname.slice('/blobs/'.length))
  const query = address.searchParams
  if (method !== 'PUT' || upload?.signature !== query.get('sig'))
    return inXml(403, 'AuthenticationFailed')
  if (query.get('comp') === 'block') upload.blocks.set(query.get('blockid') ?? '', body)
  else if (query.get('comp') === 'blocklist')
    upload.content = Buffer.concat(listBlocks(body).map((id) => upload.blocks.get(id) ?? missing()))
  else upload.content = body
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
