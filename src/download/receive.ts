/** Requests the file of a signed link once, and writes the body of the answer to the disk. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { describeFileProblem } from '../errors.ts'
import { parseRetryAfter } from '../service/backoff.ts'
import { decoderFor } from '../service/content-encoding.ts'
import { NetworkError, whyUnread } from '../service/service-errors.ts'
import { FinalError, type DownloadRetry } from './retry.ts'
import { StoreStatusError, type Opened, type Store } from './store.ts'

interface Received {
  contentType: string | undefined
  /** The value of `content-encoding` (untrusted) if it was not undone. Undefined if there is none. */
  encoding: string | undefined
  /** The size of the file in bytes. */
  size: number
}

/**
 * Writes the file to `path`. Rejects with a {@link FinalError} if the disk cannot store the file.
 * Rejects with another error if the answer has another status than 200 or is not whole.
 */
export async function receive(
  link: string,
  path: string,
  { store, clock, limit: { signal } }: DownloadRetry & { store: Store },
): Promise<Received> {
  const opened = await store.open(link, signal)
  try {
    const { status, headers } = opened
    if (status !== 200) {
      throw new StoreStatusError(status, parseRetryAfter(headers, clock.date().getTime()))
    }
    const encoding = headers['content-encoding']?.trim()
    const decode = decoderFor(encoding)
    const body = wholeBody(opened)
    const file = createWriteStream(path)
    await pipeline(decode?.(body) ?? body, file, { signal })
    const size = file.bytesWritten
    return { contentType: headers['content-type'], encoding: decode ? undefined : encoding, size }
  } catch (error) {
    if (!isOfDisk(error)) throw error
    throw new FinalError(`${path}: ${describeFileProblem(error)}`, { cause: error })
  } finally {
    opened.close()
  }
}

/** Yields the body. Node rejects if the connection ends before the body is whole. */
async function* wholeBody({ body }: Opened): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (cause) {
    throw new NetworkError(whyUnread(cause), { mayHaveArrived: true, cause })
  }
}

/** Returns true for an error of the file system. Decoders and `wholeBody` make no system calls. */
function isOfDisk(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error
}
