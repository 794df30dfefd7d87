import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './answer.ts'

/** A fault in the transmission of a correct response. */
export interface Flaw {
  /** The number of bytes of the body that are sent before `then` happens. Default: all. */
  after?: number
  then?: 'cut' | 'stall'
  /** If set, each byte is sent alone, after a pause of this many milliseconds. */
  dripEvery?: number
  /** True to send chunks without a Content-Length. */
  chunked?: boolean
  /** The number of bytes that the Content-Length is too high. */
  lengthOff?: number
}

export type Delivery =
  | { how: 'send'; answer: Answer; flaw: Flaw }
  | { how: 'reset' }
  /** Sends nothing and keeps the connection open. */
  | { how: 'silence' }

export function send(answer: Answer, flaw: Flaw = {}): Delivery {
  return { how: 'send', answer, flaw }
}

/** Sends a response and applies its fault. Stops early if the client closes the connection. */
export async function deliver(response: ServerResponse, delivery: Delivery): Promise<void> {
  if (delivery.how === 'silence') return
  if (delivery.how === 'reset') {
    reset(response.socket)
    return
  }
  const { answer, flaw } = delivery
  response.writeHead(answer.status, headersOf(answer, flaw))
  response.flushHeaders()
  const gone = new Promise<false>((resolve) => response.once('close', () => resolve(false)))
  for await (const piece of pieces(answer, flaw)) {
    if (response.destroyed || !(await Promise.race([write(response, piece), gone]))) return
  }
  if (flaw.then === 'stall') return
  if (flaw.then === 'cut') response.socket?.destroy()
  else response.end()
}

function headersOf({ status, headers, body }: Answer, flaw: Flaw): Record<string, string> {
  if (status === 204) return headers
  if (flaw.chunked) return { ...headers, 'transfer-encoding': 'chunked' }
  const length = { 'content-length': String(body.length + (flaw.lengthOff ?? 0)) }
  // After a wrong length, the connection cannot carry another response.
  return flaw.lengthOff ? { ...headers, ...length, connection: 'close' } : { ...headers, ...length }
}

async function* pieces({ body }: Answer, flaw: Flaw): AsyncIterable<Uint8Array> {
  let left = flaw.after ?? Infinity
  for await (const chunk of body.read()) {
    if (left <= 0) return
    const piece = chunk.length > left ? chunk.subarray(0, left) : chunk
    left -= piece.length
    if (flaw.dripEvery === undefined) yield piece
    else yield* drip(piece, flaw.dripEvery)
  }
}

async function* drip(piece: Uint8Array, every: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < piece.length; at++) {
    await delay(every)
    yield piece.subarray(at, at + 1)
  }
}

/** Resolves when the piece was sent, so that a later cut loses no bytes. False means an error. */
function write(response: ServerResponse, piece: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => response.write(piece, (error) => resolve(!error)))
}

function reset(socket: Socket | null): void {
  if (!socket) return
  // A TLS socket cannot send RST. Its connection ends without close_notify.
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}
