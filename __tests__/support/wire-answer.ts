/** HTTP answers as bytes, valid and broken, and the body that a client must read from them. */
import * as zlib from 'node:zlib'

export const encodings = ['gzip', 'deflate', 'raw deflate', 'br', 'zstd'] as const
export type Encoding = (typeof encodings)[number]

export interface WireAnswer {
  /** Statuses of answers that come before, none of them final. */
  interim: number[]
  status: number
  headers: [name: string, value: string][]
  body: string
  /** How the body is encoded. */
  encoding: Encoding | undefined
  /** What `content-encoding` says, where that differs. */
  label: string | undefined
  framing: 'length' | 'chunked' | 'close' | 'short length' | 'long length'
  /** Bytes that are missing at the end. */
  cut: number
  /** What happens to the connection after the last byte. */
  then: 'end' | 'reset' | 'hold'
}

const encoders: Record<Encoding, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  'raw deflate': zlib.deflateRawSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gunzipSync,
  deflate: (bytes) =>
    (bytes[0] ?? 0) % 16 === 8 ? zlib.inflateSync(bytes) : zlib.inflateRawSync(bytes),
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
}

export function encodedBody({ body, encoding }: WireAnswer): Buffer {
  const bytes = Buffer.from(body)
  return encoding ? encoders[encoding](bytes) : bytes
}

export function labelOf({ label, encoding }: WireAnswer): string | undefined {
  return label ?? (encoding === 'raw deflate' ? 'deflate' : encoding)
}

/** All that goes over the wire. `body`: what to send instead of the answer's own. */
export function bytesOf(answer: WireAnswer, body = encodedBody(answer)): Buffer {
  const label = labelOf(answer)
  const headers = [
    ...answer.headers,
    ...(label === undefined ? [] : [['content-encoding', label]]),
    ...framingHeaders(answer.framing, body),
  ].map(([name, value]) => `${String(name)}: ${String(value)}\r\n`)
  const interim = answer.interim.map((status) => `HTTP/1.1 ${status} Interim\r\nx-a: b\r\n\r\n`)
  const head = `${interim.join('')}HTTP/1.1 ${answer.status} Text\r\n${headers.join('')}\r\n`
  const framed = answer.framing === 'chunked' ? chunked(body) : body
  const whole = Buffer.concat([Buffer.from(head, 'latin1'), framed])
  return whole.subarray(0, whole.length - answer.cut)
}

function framingHeaders(framing: WireAnswer['framing'], body: Buffer): string[][] {
  switch (framing) {
    case 'length':
      return [['content-length', String(body.length)]]
    case 'short length':
      return [['content-length', String(Math.floor(body.length / 2))]]
    case 'long length':
      return [['content-length', String(body.length + 7)]]
    case 'chunked':
      return [['transfer-encoding', 'chunked']]
    case 'close':
      return []
  }
}

function chunked(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2)
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  const chunks = parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n'])
  return Buffer.concat([...chunks, '0\r\n\r\n'].map((part) => Buffer.from(part)))
}

/**
 * The body that a client must read by the rules of HTTP (RFC 9112, section 6.3); undefined where
 * none arrives complete, or none that can be decoded.
 */
export function arrivingBody(answer: WireAnswer): Buffer | undefined {
  const { interim, status, framing, cut, then } = answer
  const body = encodedBody(answer)
  if (status < 200 || interim.includes(101)) return undefined
  // Not even the head arrives.
  if (framing !== 'chunked' && cut > body.length) return undefined
  if (status === 204 || status === 304) return Buffer.alloc(0)
  const arrived = body.subarray(0, Math.max(0, body.length - cut))
  // A transfer coding that is not chunked leaves the end to the connection (RFC 9112, section 6.3).
  const coded = answer.headers.some(([name]) => name === 'transfer-encoding')
  const declared = framing === 'short length' ? Math.floor(body.length / 2) : body.length
  switch (coded && framing !== 'chunked' ? 'close' : framing) {
    case 'long length':
      return undefined
    case 'chunked':
      return cut > 0 ? undefined : decode(body, answer)
    case 'length':
    case 'short length':
      // Bytes after the declared length are not part of the answer; a client may reject it for them.
      return arrived.length < declared ? undefined : decode(body.subarray(0, declared), answer)
    case 'close':
      return then === 'end' ? decode(arrived, answer) : undefined
  }
}

function decode(bytes: Buffer, answer: WireAnswer): Buffer | undefined {
  const decoder = decoders[labelOf(answer) ?? '']
  try {
    return decoder ? decoder(bytes) : bytes
  } catch {
    return undefined
  }
}
