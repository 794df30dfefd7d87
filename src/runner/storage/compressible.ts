/** Whether compressing files for an artifact is worth its time. */
import { open, stat, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** Bytes; below it, compressing takes less time than finding out. */
const worthASample = 4 * 1024 * 1024
const samples = 8
const sampleSize = 32 * 1024
/** What compressing must save at least, as a share of the bytes. */
const leastSaving = 0.1

/**
 * False where the files are compressed already, as archives, images and Parquet are: compressing
 * 1 GiB again takes half a minute and saves nothing. Samples decide, not the name or the media
 * type, since automations give results of any. Rejects where a file cannot be read.
 */
export async function isCompressible(files: readonly string[]): Promise<boolean> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total < worthASample) return true
  let saved = 0
  for (const [index, size] of sizes.entries()) {
    saved += size * (await savingOf(files[index] ?? '', size))
  }
  return saved >= total * leastSaving
}

/** The share that compressing saves, by samples from all over the file. */
async function savingOf(file: string, size: number): Promise<number> {
  await using handle = await open(file)
  let [before, after] = [0, 0]
  for (let index = 0; index < samples; index++) {
    const sample = await readAt(handle, Math.floor((size * (index + 0.5)) / samples))
    before += sample.length
    after += (await deflate(sample)).length
  }
  return before === 0 ? 0 : Math.max(0, 1 - after / before)
}

async function readAt(handle: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(sampleSize), position })
  return buffer.subarray(0, bytesRead)
}
