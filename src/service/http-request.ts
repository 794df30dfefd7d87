/**
 * One HTTP request, to the service or to a store. Node's own client sends it, because it shows when
 * a connection is made and takes a signal.
 */
import http from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { codeOf, messageOf } from '../errors.ts'
import { withoutBrackets } from './addresses.ts'
import { headOf } from './answer-head.ts'
import { NetworkError } from './errors.ts'
import { proxyFor } from './proxy.ts'
import { certificateRequired, whyNotConnected } from './tls-failure.ts'

/** What to send, credentials included. Nothing else of a caller's object is sent. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
}

/**
 * Sends a request and resolves with the head of the answer; the body is still to be read. Follows
 * no redirect. Rejects with {@link NetworkError} alone, also when the signal aborts.
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
    outgoing.once('socket', (socket) => socket.once('data', () => (progress.isAnswered = true)))
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

/** A request is written when its connection is made, TLS included; before, nothing can arrive. */
function whenConnected(outgoing: ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    if ('encrypted' in socket) socket.once('secureConnect', connected)
    else if (socket.connecting) socket.once('connect', connected)
    else connected()
  })
}

/**
 * What sends a request to an address, through a proxy where the environment names one. TLS is loaded
 * where it is used: it takes a twentieth of the start-up. Without keep-alive: minutes lie between two
 * checks, and a connection that the other side has closed meanwhile would look like a failed one.
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

/** Errors of several addresses come as an AggregateError without a text of its own. */
function describe(error: unknown, { host, hostname }: URL): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const message = whyNotConnected(first) || (codeOf(error) ?? 'connection failed')
  // That of a call of the system names the address itself.
  return message.includes(withoutBrackets(hostname)) ? message : `${host}: ${message}`
}
