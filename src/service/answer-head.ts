/** The first part of an answer: its status and headers, which may never come. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { messageOf } from '../errors.ts'

/** A request that ended without a final answer. */
export class Unanswered extends Error {
  /** Whether the connection was made: only then can the request have arrived. */
  readonly connected: boolean

  constructor(cause: Error, connected: boolean) {
    super(cause.message, { cause })
    this.connected = connected
  }
}

/**
 * The head of the final answer (status 200 and above). Rejects with {@link Unanswered} whatever
 * else ends the request: an error, a connection that closes (after 101 Node emits nothing but
 * `close` and `upgrade`), an interim status as the only answer, the stall timeout, or the signal.
 *
 * @param stallTimeout milliseconds without a byte, also within the body that follows
 */
export function headOf(
  outgoing: ClientRequest,
  stallTimeout: number,
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
    // A request that waits for its tunnel has no socket yet, and emits no event when it is ended.
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
  watchForStall(outgoing, stallTimeout, settled.signal, fail)
  return promise
}

/** Where a body ends with its connection, Node would take a reset for the end of the body. */
function endWithRequest(message: IncomingMessage, outgoing: ClientRequest): void {
  outgoing.on('error', (error) => {
    if (!message.complete) message.destroy(error)
  })
}

/** Calls at once where the signal has aborted already; no longer once `settled` has. */
function onAbort(signal: AbortSignal, settled: AbortSignal | undefined, call: () => void): void {
  if (signal.aborted) call()
  else signal.addEventListener('abort', call, { once: true, ...(settled && { signal: settled }) })
}

function notFinal(status: number): Error {
  return new Error(`only an interim response (${String(status)}) arrived`)
}

/** A request is written when its connection is made, TLS included; before, nothing can arrive. */
function whenConnected(outgoing: ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    if ('encrypted' in socket) socket.once('secureConnect', connected)
    else if (socket.connecting) socket.once('connect', connected)
    else connected()
  })
}

/** A timer of our own until there is a socket: behind a proxy that is when the tunnel is made. */
function watchForStall(
  outgoing: ClientRequest,
  stallTimeout: number,
  settled: AbortSignal,
  fail: (error: Error) => void,
): void {
  let body: IncomingMessage | undefined
  outgoing.once('response', (message) => (body = message))
  const expire = () => {
    const error = new Error(`no data for ${String(stallTimeout / 1000)} s`)
    fail(error)
    body?.destroy(error)
  }
  const untilSocket = setTimeout(expire, stallTimeout)
  const release = () => clearTimeout(untilSocket)
  onAbort(settled, undefined, release)
  outgoing.once('socket', (socket) => {
    release()
    socket.setTimeout(stallTimeout, expire)
  })
}
