/** The first part of an answer: its status and headers, which may never come. */
import type { ClientRequest, IncomingMessage } from 'node:http'

/**
 * The head of the final answer. Rejects whatever else ends the request: an error, its signal, a
 * connection that closes (after 101 Node emits nothing but `close`), or its `timeout`, which also
 * ends the body that follows.
 */
export function headOf(outgoing: ClientRequest, timeout: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let message: IncomingMessage | undefined
  const fail = (cause: Error) => {
    reject(cause)
    if (!message) outgoing.destroy(cause)
    // Where a body ends with its connection, Node would take a reset for the end of the body.
    else if (!message.complete) message.destroy(cause)
  }
  // Stays for as long as the request lives: an error without a listener would end the process.
  outgoing.on('error', fail)
  outgoing.once('close', () => fail(new Error('the connection was closed without an answer')))
  // After a pause of the whole process, the event is emitted before what has come is read.
  outgoing.once('timeout', () => setImmediate(() => fail(noData(timeout))))
  outgoing.once('response', (head) => {
    message = head
    resolve(head)
  })
  return promise
}

/** Said where no byte came for so many milliseconds. */
export function noData(timeout: number): Error {
  return new Error(`no data for ${String(timeout / 1000)} s`)
}
