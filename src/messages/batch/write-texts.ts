import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/**
 * Writes a file piece by piece, as they come: none of a batch's files is ever in memory as a whole.
 * Rejects with the errors of `node:fs`, with those of the pieces, and when the signal aborts.
 */
export async function writeTexts(
  file: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  await pipeline(pieces, createWriteStream(file), { ...(signal && { signal }) })
}
