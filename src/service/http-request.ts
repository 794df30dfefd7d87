/**
 * Sends one HTTP request to the service or to an object store. Uses the HTTP client of Node.js,
 * because this client shows when a connection is made, and accepts an abort signal.
 */
import http from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { codeOf, messageOf } from '../errors.ts'
import { withoutBrackets } from './addresses.ts'
import { NetworkError, noData, whyNotConnected } from './service-errors.ts'
import { proxyFor, proxyWantsLogin } from './proxy.ts'

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
  /** Called when the whole request was sent. */
  onSent?: () => void
}

/**
 * Sends a request and returns the response before the body is read. Follows no redirect. Rejects
 * only with {@link NetworkError}, even if a signal aborts.
 *
 * @param stallTimeout maximum time between two bytes, in milliseconds. Applies until the body ends.
 * 0 means no limit.
 * @param untilConnected ends the request as long as no connection is made
 */
export async function openRequest(
  { method, url, headers, body, onSent }: HttpRequest,
  stallTimeout: number,
  untilAnswered: AbortSignal,
  untilConnected = untilAnswered,
): Promise<IncomingMessage> {
  let mayHaveArrived = false
  let client: Client | undefined
  const unconnected = new AbortController()
  const giveUp = () => unconnected.abort(untilConnected.reason)
  untilConnected.addEventListener('abort', giveUp)
  if (untilConnected.aborted) giveUp()
  const end = AbortSignal.any([untilAnswered, unconnected.signal])
  try {
    client = await clientFor(url, stallTimeout, end)
    const { request, agent } = client
    const outgoing = request(url, { method, headers, agent, signal: end, timeout: stallTimeout })
    whenConnected(outgoing, () => {
      mayHaveArrived = true
      untilConnected.removeEventListener('abort', giveUp)
    })
    outgoing.once('socket', readBeforeFailing)
    const head = headOf(outgoing, stallTimeout)
    outgoing.end(body, onSent)
    return await head
  } catch (cause) {
    // If `client` is not set, the tunnel to the proxy failed. The tunnel error has the reason.
    const isAborted = client !== undefined && end.aborted
    const why = isAborted ? messageOf(end.reason) : describe(cause, url)
    throw new NetworkError(why, {
      mayHaveArrived,
      isFinal: finalCodes.has(codeOf(cause) ?? ''),
      host: url.host,
      cause: end.aborted ? end.reason : cause,
    })
  } finally {
    untilConnected.removeEventListener('abort', giveUp)
  }
}

/** The codes of errors that waiting cannot change. */
export const finalCodes = new Set([
  // The host name does not exist.
  'ENOTFOUND',
  proxyWantsLogin,
  // The certificate is for another name, has expired, or is not trusted.
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Calls `connected` when the connection and TLS are ready. Until then, no request data is sent. */
function whenConnected(outgoing: ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    if ('encrypted' in socket) socket.once('secureConnect', connected)
    else if (socket.connecting) socket.once('connect', connected)
    else connected()
  })
}

/**
 * Delays the error of a failed write by two turns of the event loop. A server may respond and close
 * the connection before the whole body was sent. Node closes the socket when a write fails. A
 * response that has arrived but was not read yet would be lost.
 */
function readBeforeFailing(socket: Duplex): void {
  const write = socket._write.bind(socket)
  socket._write = (chunk, encoding, written) => {
    write(chunk, encoding, (error) => {
      const isClosedByPeer = ['EPIPE', 'ECONNRESET'].includes(codeOf(error) ?? '')
      if (isClosedByPeer) setImmediate(() => setImmediate(() => written(error)))
      else written(error)
    })
  }
}

/**
 * Returns the HTTP client for an address, with a proxy if the environment names a proxy. Loads TLS
 * only for https, because loading TLS takes a twentieth of the start-up time. Connections are not
 * kept alive: the service may close a connection between two checks, and the next check would fail.
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

/** Describes a connection error. If several addresses failed, describes the first error. */
function describe(error: unknown, { host, hostname }: URL): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const message = whyNotConnected(first) || (codeOf(error) ?? 'connection failed')
  // The message of a system error already contains the address.
  return message.includes(withoutBrackets(hostname)) ? message : `${host}: ${message}`
}

/**
 * Returns the final response when its status and headers have arrived. Rejects if the request
 * fails, is aborted, exceeds its `timeout` or loses its connection before that. If one of these
 * happens later, reading the body fails with that error.
 */
export function headOf(outgoing: ClientRequest, timeout: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let message: IncomingMessage | undefined
  const fail = (cause: Error) => {
    reject(cause)
    if (!message) outgoing.destroy(cause)
    // Without this error, Node could mistake a reset connection for the end of the body.
    else if (!message.complete) message.destroy(cause)
  }
  // This listener is never removed, because an `error` event without a listener ends the process.
  outgoing.on('error', fail)
  // After status 101, Node emits only `close`.
  outgoing.once('close', () => fail(new Error('the connection was closed without an answer')))
  outgoing.once('timeout', () => fail(noData(timeout)))
  outgoing.once('response', (head) => {
    message = head
    resolve(head)
  })
  return promise
}
