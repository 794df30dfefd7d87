/** What `content-encoding` says was done to a body, and its undoing. */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'

export interface Decoding {
  /** What undoes the encoding, to be passed through one after the other. Often none. */
  decoders: Transform[]
  /** The encoding, untrusted, where it isn't understood: the bytes then stay as they came. */
  unknown?: string
}

// One is usual. Each costs memory, and who asks for many wants to use it up.
const mostEncodings = 4

/** The decoding that a `content-encoding` asks for, which lists encodings as they were applied. */
export async function decodingFor(header: string | undefined): Promise<Decoding> {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  const applied = names.filter((name) => name !== '' && name !== 'identity')
  if (applied.length === 0) return { decoders: [] }
  // Loaded when an answer is encoded, which is rare: the first request need not wait for it.
  const { makers } = await import('./decoders.ts')
  const makes = applied.toReversed().map((name) => makers.get(name))
  if (applied.length > mostEncodings || makes.includes(undefined)) {
    return { decoders: [], unknown: applied.join(', ') }
  }
  return { decoders: makes.flatMap((make) => make?.() ?? []) }
}

/** The body with its encoding undone. An error of the message ends the returned stream too. */
export async function decoded(message: IncomingMessage): Promise<Readable> {
  const { decoders } = await decodingFor(message.headers['content-encoding'])
  const last = decoders.at(-1)
  if (!last) return message
  pipeline([message, ...decoders], () => undefined)
  return last
}
