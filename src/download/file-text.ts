/** Bounded looks into files of any size. */
import { open } from 'node:fs/promises'

export interface FilePart {
  bytes: Buffer
  /** Bytes of the whole file. */
  size: number
  /** Whether the part is the whole file. */
  complete: boolean
}

/** The file's first bytes, at most `limit`. */
export async function readHead(path: string, limit: number): Promise<FilePart> {
  return readPart(path, limit, () => 0)
}

/** The file's last bytes, at most `limit`. */
export async function readTail(path: string, limit: number): Promise<FilePart> {
  return readPart(path, limit, (size) => Math.max(0, size - limit))
}

/**
 * The end of a text, in whole lines. Bytes that are no UTF-8 become `�`. Of a line that alone is
 * longer than `limit`, its end.
 */
export async function readLastLines(path: string, limit: number): Promise<string> {
  const { bytes, complete } = await readTail(path, limit)
  const firstBreak = bytes.indexOf(0x0a)
  const whole = complete || firstBreak === -1 ? bytes : bytes.subarray(firstBreak + 1)
  return whole.toString('utf8')
}

/** The text, or undefined where the bytes are none that an output or a summary could carry. */
export function textOf({ bytes, complete }: FilePart): string | undefined {
  try {
    // A cut at the end may go through a character: `stream` leaves that one out.
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
