/** The part of an exchange that may never come: the head of a final answer. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { messageOf } from '../errors.ts'

/** A request that ended without a final answer. */
export class Unanswered extends Error {
  /** Whether the connection stood: only then can the request have arrived. */
  readonly connected: boolean

  constructor(cause: Error, connected: boolean) {
    super(cause.message, { cause })
    this.connected = connected
  }
}

/**
 * The final answer's head. Rejects with {@link Unanswered} whatever else ends the request: an error,
 * a connection that closes (after 101 Node emits nothing but `close` and `upgrade`), an answer that
 * is none, silence, or the signal.
 */
export function headOf(
  outgoing: ClientRequest,
  silence: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const settled = new AbortController()
  let connected = false
  whenConnected(outgoing, () => (connected = true))
  const fail = (cause: Error) => {
    if (settled.signal.aborted) return
    reject(new Unanswered(cause, connected))
    settled.abort()
    // A request that waits for its tunnel has no socket yet, and tells nobody of its end.
    outgoing.destroy(cause)
  }
  // Stays for as long as the request lives: an error without a listener would end the process.
  outgoing.on('error', fail)
  outgoing.once('close', () => fail(new Error('the connection was closed without an answer')))
  outgoing.once('upgrade', (_head, socket) => {
    socket.destroy()
    fail(notFinal(101))
  })
  outgoing.once('response', (message) => {
    const { statusCode = 0 } = message
    if (statusCode < 200) {
      fail(notFinal(statusCode))
      return
    }
    resolve(message)
    settled.abort()
    endWithRequest(message, outgoing)
  })
  onAbort(signal, settled.signal, () => fail(new Error(messageOf(signal.reason))))
  guardAgainstSilence(outgoing, silence, settled.signal, fail)
  return promise
}

/** Of a body that ends with its connection, Node takes a reset for the end. */
function endWithRequest(message: IncomingMessage, outgoing: ClientRequest): void {
  outgoing.on('error', (error) => {
    if (!message.complete) message.destroy(error)
  })
}

/** Calls at once where it has aborted already; not any more once `settled` has. */
function onAbort(signal: AbortSignal, settled: AbortSignal | undefined, call: () => void): void {
  if (signal.aborted) call()
  else signal.addEventListener('abort', call, { once: true, ...(settled && { signal: settled }) })
}

function notFinal(status: number): Error {
  return new Error(`its only answer was ${String(status)}, which is no final one`)
}

/** A request is written when its connection stands, TLS included; before, nothing can arrive. */
function whenConnected(outgoing: ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    if ('encrypted' in socket) socket.once('secureConnect', connected)
    else if (socket.connecting) socket.once('connect', connected)
    else connected()
  })
}

/** A timer of our own until there is a socket: behind a proxy that is when the tunnel stands. */
function guardAgainstSilence(
  outgoing: ClientRequest,
  silence: number,
  settled: AbortSignal,
  fail: (error: Error) => void,
): void {
  let body: IncomingMessage | undefined
  outgoing.once('response', (message) => (body = message))
  const expire = () => {
    const error = new Error(`silent for ${String(silence / 1000)} s`)
    fail(error)
    body?.destroy(error)
  }
  const untilSocket = setTimeout(expire, silence)
  const release = () => clearTimeout(untilSocket)
  onAbort(settled, undefined, release)
  outgoing.once('socket', (socket) => {
    release()
    socket.setTimeout(silence, expire)
  })
}
