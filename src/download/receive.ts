/** Requests the file of a signed link once, and writes the body of the answer to the disk. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { describeFileProblem } from '../errors.ts'
import { parseRetryAfter } from '../service/backoff.ts'
import { decoderFor } from '../service/content-encoding.ts'
import { NetworkError, whyUnread } from '../service/service-errors.ts'
import { FinalError, type DownloadRetry } from './retry.ts'
import { StoreStatusError, type Opened, type Store } from './store.ts'

interface ReceiveContext extends Omit<DownloadRetry, 'random'> {
  store: Store
}

interface Received {
  contentType: string | undefined
  /** The value of `content-encoding` (untrusted) if it was not undone. Undefined if there is none. */
  encoding: string | undefined
}

/**
 * Writes the file to `path`. Rejects with a {@link FinalError} if the disk cannot store the file.
 * Rejects with another error if the answer has another status than 200 or is not whole.
 */
export async function receive(
  link: string,
  path: string,
  { store, clock, limit: { signal } }: ReceiveContext,
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
    await pipeline(decode?.(body) ?? body, createWriteStream(path), { signal })
    return { contentType: headers['content-type'], encoding: decode ? undefined : encoding }
  } catch (error) {
    throw isOfDisk(error) ? unwritable(path, error) : error
  } finally {
    opened.close()
  }
}

/** Yields the body. Rejects if the connection is cut, or the length differs from the named length. */
async function* wholeBody({ headers, body }: Opened): AsyncGenerator<Buffer> {
  let received = 0
  try {
    for await (const chunk of body) {
      received += chunk.length
      yield chunk
    }
  } catch (cause) {
    throw new NetworkError(whyUnread(cause), { mayHaveArrived: true, cause })
  }
  const length = headers['content-length']
  if (length !== undefined && Number(length) !== received) {
    const why = `${String(received)} of ${length} bytes arrived`
    throw new NetworkError(why, { mayHaveArrived: true })
  }
}

/** Returns true for an error of the file system. Decoders and `wholeBody` make no system calls. */
function isOfDisk(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error
}

export function unwritable(path: string, cause: unknown): FinalError {
  return new FinalError(`${path}: ${describeFileProblem(cause)}`, { cause })
}
