/** Files of this step's own that have their final name only once they are whole. */
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** The end of a name that no whole file has. */
export const partial = '.part'

/**
 * Writes the pieces as they come, beside the file, which is replaced once they are all written.
 * Rejects with the errors of `node:fs` and those of the pieces; what stood under that name before
 * stays then.
 */
export async function writeWhole(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const beside = `${file}${partial}`
  try {
    // Opened first: a stream that opens its file may do so after it was removed below.
    const sink = await open(beside, 'w')
    await pipeline(pieces, sink.createWriteStream())
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
}
