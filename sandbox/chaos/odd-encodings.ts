/** Content encodings that stores really send and that clients often do not expect. */
import { deflateRawSync, zstdCompressSync } from 'node:zlib'
import type { Dice } from './dice.ts'

export interface OddEncoding {
  /** The value of `Content-Encoding`. */
  name: string
  /** Whether nobody can undo it: the bytes are kept as they came, with a warning that names it. */
  unknown: boolean
  encode: (bytes: Buffer) => Buffer
}

const asItIs = (bytes: Buffer) => bytes

const oddEncodings: readonly OddEncoding[] = [
  { name: 'utf-8', unknown: true, encode: asItIs },
  { name: 'aws-chunked', unknown: true, encode: asItIs },
  { name: 'zstd-of-tomorrow', unknown: true, encode: asItIs },
  { name: 'zstd', unknown: false, encode: (bytes) => zstdCompressSync(bytes) },
  // Without the zlib wrapper that the RFC asks for.
  { name: 'deflate', unknown: false, encode: (bytes) => deflateRawSync(bytes) },
]

export function drawOddEncoding(dice: Dice): OddEncoding {
  return dice.pick(oddEncodings)
}
