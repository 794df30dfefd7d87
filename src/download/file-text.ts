/** Reads bounded parts of files of any size. All sizes are bytes. */
import { open } from 'node:fs/promises'

/** The beginning of a file, as text. */
export interface FileText {
  /** Of the whole file. */
  size: number
  /** Undefined where it is not UTF-8 or has a NUL, which no output can hold. */
  text: string | undefined
  /** Whether that is the whole file. */
  complete: boolean
}

interface FilePart {
  bytes: Buffer
  size: number
  complete: boolean
}

/** The file's first bytes, at most `limit`. Rejects with the errors of `node:fs`, like all here. */
export async function readBeginning(path: string, limit: number): Promise<FileText> {
  const part = await readPart(path, limit, () => 0)
  return { size: part.size, text: textOf(part), complete: part.complete }
}

/** The file's last bytes, at most `limit`. */
export async function readTail(path: string, limit: number): Promise<FilePart> {
  return readPart(path, limit, (size) => Math.max(0, size - limit))
}

function textOf({ bytes, complete }: FilePart): string | undefined {
  try {
    // The part may end within a character: `stream` leaves that one out.
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
