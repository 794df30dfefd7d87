/** The first part of an answer: its status and headers, which may never come. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { messageOf } from '../errors.ts'

/**
 * The head of the final answer. Rejects whatever else ends the request: an error, a connection that
 * closes (after 101 Node emits nothing but `close`), the stall timeout, or the signal.
 *
 * @param stallTimeout milliseconds without a byte, also within the body that follows
 */
export function headOf(
  outgoing: ClientRequest,
  stallTimeout: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let message: IncomingMessage | undefined
  const fail = (cause: Error) => {
    if (message) {
      // Where a body ends with its connection, Node would take a reset for the end of the body.
      if (!message.complete) message.destroy(cause)
      return
    }
    reject(cause)
    release()
    // A request that waits for its tunnel has no socket yet, and emits no event when it is ended.
    outgoing.destroy(cause)
  }
  const abort = () => fail(new Error(messageOf(signal.reason)))
  const expire = () => fail(new Error(`no data for ${String(stallTimeout / 1000)} s`))
  // A timer of our own until there is a socket: behind a proxy that is when the tunnel is made.
  const untilSocket = setTimeout(expire, stallTimeout)
  const release = () => {
    clearTimeout(untilSocket)
    signal.removeEventListener('abort', abort)
  }
  // Stays for as long as the request lives: an error without a listener would end the process.
  outgoing.on('error', fail)
  outgoing.once('close', () => fail(new Error('the connection was closed without an answer')))
  outgoing.once('socket', (socket) => {
    clearTimeout(untilSocket)
    socket.setTimeout(stallTimeout, expire)
  })
  outgoing.once('response', (head) => {
    message = head
    resolve(head)
    release()
  })
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return promise
}
