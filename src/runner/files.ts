/** Writes whole files. */
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** The file name extension of a file that is not completely written yet. */
export const partial = '.part'

/**
 * Writes all pieces to a temporary file beside the target, then replaces the target with this file.
 * If writing fails or `pieces` throws, rejects and leaves an existing target unchanged.
 */
export async function writeWhole(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const beside = `${file}${partial}`
  try {
    // A stream that opens the file itself could create the file again after `rm` has removed the
    // file. So the file is opened before the stream starts.
    const sink = await open(beside, 'w')
    await pipeline(pieces, sink.createWriteStream())
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
}
