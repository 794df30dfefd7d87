/** One answer of the store to one request for bytes (RFC 9110, 13 and 14). */
import type { Deviation } from './store-faults.ts'
import type { Representation, StoredObject } from './stored-object.ts'

export interface Served {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

export function answerRange(
  object: StoredObject,
  asked: Record<string, string>,
  deviation: Deviation,
): Served {
  if (deviation === 'changed') object.change()
  const stored = object.represent()
  const from = deviation === 'no-ranges' ? undefined : wantedFrom(asked, stored)
  const served = from === undefined ? whole(stored) : part(stored, from, deviation)
  if (deviation === 'no-length') delete served.headers['content-length']
  return deviation === 'broken' && object.encoding.known ? broken(served) : served
}

/** Where the wanted part begins; undefined where the whole has to be sent. */
function wantedFrom(
  { range, 'if-range': version }: Record<string, string>,
  { etag, bytes }: Representation,
): number | undefined {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? NaN)
  const same = version !== undefined && version === etag && !version.startsWith('W/')
  return same && from < bytes.length ? from : undefined
}

function whole({ bytes, headers }: Representation): Served {
  return { status: 200, bytes, headers: { ...headers, 'content-length': String(bytes.length) } }
}

function part({ bytes, headers }: Representation, from: number, deviation: Deviation): Served {
  const start = deviation === 'another-part' ? Math.max(0, from - 1) : from
  const tail = bytes.subarray(start)
  const last = bytes.length - 1
  return {
    status: 206,
    bytes: deviation === 'another-version' ? Buffer.from(tail).fill(0x21) : tail,
    headers: {
      ...headers,
      ...(deviation === 'another-version' && { etag: '"another"' }),
      'content-range': `bytes ${start}-${last}/${bytes.length}`,
      'content-length': String(tail.length),
    },
  }
}

/** A beginning that no decoder can read; in the middle, not every format would show the damage. */
function broken(served: Served): Served {
  if (served.status !== 200 || !('content-encoding' in served.headers)) return served
  const bytes = Buffer.from(served.bytes)
  bytes.subarray(0, 8).fill(0x00)
  return { ...served, bytes }
}

export function refuse(status: number, headers: Record<string, string> = {}): Served {
  return { status, headers, bytes: Buffer.from('<Error><Code>AccessDenied</Code></Error>') }
}
