/** The way of a download's bytes to the disk, through what undoes their encoding. */
import { createWriteStream } from 'node:fs'
import type { Transform, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'

export interface Sink {
  stream: Writable
  /** Settles when all bytes are decoded and on the disk, or cannot be. */
  done: Promise<void>
}

export function openSink(path: string, decoders: Transform[]): Sink {
  const file = createWriteStream(path)
  const [first] = decoders
  const done = first ? pipeline([first, ...decoders.slice(1), file]) : finished(file)
  // Whoever waits for `done` sees the error; until then it must not count as unhandled.
  done.catch(() => undefined)
  return { stream: first ?? file, done }
}

/** A decoder that cannot read a chunk never calls back: it closes. */
export function writeTo(stream: Writable, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(stream.errored ?? new Error('the file was closed'))
    stream.once('close', fail)
    stream.write(chunk, (error) => {
      stream.off('close', fail)
      if (error) reject(error)
      else resolve()
    })
  })
}
