/**
 * Sends one HTTP request to the service or to a store. Node's own client is used, because it shows
 * when a connection is made, and accepts a signal.
 */
import http from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { codeOf, messageOf } from '../errors.ts'
import { withoutBrackets } from './addresses.ts'
import { NetworkError, noData } from './errors.ts'
import { proxyFor } from './proxy.ts'
import { certificateRequired, whyNotConnected } from './tls-failure.ts'

/** A request with its credentials. Nothing else of a caller's object is sent. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
}

/**
 * Sends a request and resolves with the head of the response. The body is not yet read. Follows no
 * redirect. Rejects only with {@link NetworkError}, also if the signal aborts.
 *
 * @param stallTimeout milliseconds without a byte, also while the body is read
 */
export async function openRequest(
  { method, url, headers, body }: HttpRequest,
  stallTimeout: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const progress = { mayHaveArrived: false, isAnswered: false }
  let client: Client | undefined
  try {
    client = await clientFor(url, stallTimeout, signal)
    const { request, agent } = client
    const outgoing = request(url, { method, headers, agent, signal, timeout: stallTimeout })
    whenConnected(outgoing, () => (progress.mayHaveArrived = true))
    outgoing.once('socket', (socket) => {
      socket.once('data', () => (progress.isAnswered = true))
      readBeforeFailing(socket)
    })
    const head = headOf(outgoing, stallTimeout)
    outgoing.end(body)
    return await head
  } catch (cause) {
    // A tunnel that the signal ended says so itself.
    const why = client && signal.aborted ? messageOf(signal.reason) : describe(cause, url)
    const code = codeOf(cause)
    const provesNothingArrived = code === certificateRequired && !progress.isAnswered
    const mayHaveArrived = progress.mayHaveArrived && !provesNothingArrived
    const isFinal = code === certificateRequired || code === 'ERR_TLS_CERT_ALTNAME_INVALID'
    throw new NetworkError(why, { mayHaveArrived, isFinal, cause })
  }
}

/**
 * Node writes a request after its connection, TLS included, is made. Nothing can arrive earlier.
 */
function whenConnected(outgoing: ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    if ('encrypted' in socket) socket.once('secureConnect', connected)
    else if (socket.connecting) socket.once('connect', connected)
    else connected()
  })
}

/**
 * Reports a failed write two turns of the event loop late. A server may answer and close the
 * connection while the body is still being sent. Node closes a socket when a write fails, and would
 * lose an answer that has arrived but was not read yet.
 */
function readBeforeFailing(socket: Duplex): void {
  const write = socket._write.bind(socket)
  socket._write = (chunk, encoding, written) => {
    write(chunk, encoding, (error) => {
      if (!isClosedByPeer(error)) written(error)
      else setImmediate(() => setImmediate(() => written(error)))
    })
  }
}

function isClosedByPeer(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET'].includes(codeOf(error) ?? '')
}

/**
 * Returns the client for an address, through a proxy if the environment names one. TLS is loaded
 * only if it is needed, because it takes a twentieth of the start-up. Connections are not kept
 * alive: minutes may lie between two checks, and a connection that the service closed meanwhile
 * would look like a failed check.
 */
async function clientFor(url: URL, stallTimeout: number, signal: AbortSignal): Promise<Client> {
  if (url.protocol !== 'https:') return { request: http.request, agent: new http.Agent() }
  const { request, Agent } = await import('node:https')
  const proxy = proxyFor(url)
  if (!proxy) return { request, agent: new Agent() }
  const { openTunnel, TunnelAgent } = await import('./tunnel.ts')
  return { request, agent: new TunnelAgent(await openTunnel(url, proxy, stallTimeout, signal)) }
}

interface Client {
  request: typeof http.request
  agent: http.Agent
}

/** If several addresses fail, Node throws an AggregateError without a message. */
function describe(error: unknown, { host, hostname }: URL): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const message = whyNotConnected(first) || (codeOf(error) ?? 'connection failed')
  // A system error contains the address already.
  return message.includes(withoutBrackets(hostname)) ? message : `${host}: ${message}`
}

/**
 * Returns the head of the final answer: its status and headers, which may never come. Rejects whatever else ends the request: an error, its signal, a
 * connection that closes (after 101 Node emits nothing but `close`), or its `timeout`, which also
 * ends the body that follows.
 */
export function headOf(outgoing: ClientRequest, timeout: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let message: IncomingMessage | undefined
  const fail = (cause: Error) => {
    reject(cause)
    if (!message) outgoing.destroy(cause)
    // If a body ends with its connection, Node would take a reset for the end of the body.
    else if (!message.complete) message.destroy(cause)
  }
  // Stays for as long as the request lives: an error without a listener would end the process.
  outgoing.on('error', fail)
  outgoing.once('close', () => fail(new Error('the connection was closed without an answer')))
  // After a pause of the whole process, Node emits the event before it reads the data in the
  // socket.
  outgoing.once('timeout', () => setImmediate(() => fail(noData(timeout))))
  outgoing.once('response', (head) => {
    message = head
    resolve(head)
  })
  return promise
}
