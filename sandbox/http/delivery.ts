import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './answer.ts'

/** A fault on the network of an otherwise correct response. */
export interface Flaw {
  /** Bytes of the body that go out before `then` happens. */
  after?: number
  then?: 'cut' | 'stall'
  /** Milliseconds between single bytes. */
  dripEvery?: number
  /** No Content-Length: chunks. */
  chunked?: boolean
  /** The Content-Length is wrong by so many bytes. */
  lengthOff?: number
}

export type Delivery =
  | { how: 'send'; answer: Answer; flaw: Flaw }
  | { how: 'reset' }
  /** Nothing, not even a status line, until the client or the sandbox closes the connection. */
  | { how: 'silence' }

export function send(answer: Answer, flaw: Flaw = {}): Delivery {
  return { how: 'send', answer, flaw }
}

/** Puts an answer on the wire. Resolves when it is sent, or when the client has gone. */
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
  // After a wrong length the connection is out of step: it cannot carry another answer.
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

/** Resolves when the bytes were sent, so that a cut right after it loses none of them. */
function write(response: ServerResponse, piece: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => response.write(piece, (error) => resolve(!error)))
}

function reset(socket: Socket | null): void {
  if (!socket) return
  // Only a bare TCP socket can send RST itself; TLS gets an end without close_notify.
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}
