/** One answer of the store to one request for bytes (RFC 9110, 13 and 14). */
import type { Twist } from './store-faults.ts'
import type { Representation, StoredObject } from './stored-object.ts'

export interface Served {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

export function serve(object: StoredObject, asked: Record<string, string>, twist: Twist): Served {
  if (twist === 'changed') object.change()
  const shown = object.represent()
  const from = twist === 'no-ranges' ? undefined : wantedFrom(asked, shown)
  const served = from === undefined ? whole(shown) : part(shown, from, twist)
  if (twist === 'no-length') delete served.headers['content-length']
  return twist === 'broken' ? broken(served) : served
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

function part({ bytes, headers }: Representation, from: number, twist: Twist): Served {
  const start = twist === 'another-part' ? Math.max(0, from - 1) : from
  const tail = bytes.subarray(start)
  const last = bytes.length - 1
  return {
    status: 206,
    bytes: twist === 'another-version' ? Buffer.from(tail).fill(0x21) : tail,
    headers: {
      ...headers,
      ...(twist === 'another-version' && { etag: '"another"' }),
      'content-range': `bytes ${start}-${last}/${bytes.length}`,
      'content-length': String(tail.length),
    },
  }
}

/** Bytes that no decoder can read. */
function broken(served: Served): Served {
  if (!('content-encoding' in served.headers)) return served
  return { ...served, bytes: Buffer.from(served.bytes).fill(0x00, 0, 8) }
}
