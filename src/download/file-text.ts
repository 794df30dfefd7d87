/** Reads the beginning or the end of a file, up to a size limit. All sizes are in bytes. */
import { open } from 'node:fs/promises'

export interface FileText {
  size: number
  /** Undefined if the bytes are not UTF-8 or contain NUL, because step outputs cannot have NUL. */
  text: string | undefined
  /** True if `text` is the complete file. */
  complete: boolean
}

interface FilePart {
  bytes: Buffer
  size: number
  complete: boolean
}

/** Returns at most `limit` bytes from the beginning of the file, as text. */
export async function readBeginning(path: string, limit: number): Promise<FileText> {
  const part = await readPart(path, limit, () => 0)
  return { size: part.size, text: textOf(part), complete: part.complete }
}

export async function readTail(path: string, limit: number): Promise<FilePart> {
  return readPart(path, limit, (size) => Math.max(0, size - limit))
}

function textOf({ bytes, complete }: FilePart): string | undefined {
  try {
    // With the option `stream`, the decoder ignores an incomplete last character.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: !complete,
    })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

async function readPart(
  path: string,
  limit: number,
  from: (size: number) => number,
): Promise<FilePart> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, limit)
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await file.read(bytes, 0, length, from(size))
    return { bytes: bytes.subarray(0, bytesRead), size, complete: size <= limit }
  } finally {
    await file.close()
  }
}
