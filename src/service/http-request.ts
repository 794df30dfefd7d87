/**
 * The opening of one HTTP exchange, whoever it is with. Node's own client does the talking, because
 * it tells when a connection stands and takes a signal.
 */
import http from 'node:http'
import https from 'node:https'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { messageOf } from '../errors.ts'
import { headOf, Unanswered } from './answer-head.ts'
import { NetworkError } from './errors.ts'
import { proxyFor } from './proxy.ts'
import { TunnelAgent } from './tunnel.ts'

/**
 * Opens an exchange and resolves with the answer's head; the body is still to be read. Rejects
 * with {@link NetworkError} alone. `silence` also guards the body's reading.
 */
export async function openRequest(
  url: URL,
  options: Pick<RequestOptions, 'method' | 'headers'>,
  body: string | undefined,
  silence: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const failed = new AbortController()
  try {
    const agent = agentFor(url, AbortSignal.any([signal, failed.signal]))
    const { request } = url.protocol === 'https:' ? https : http
    const outgoing = request(url, { ...options, agent, signal })
    const head = headOf(outgoing, silence, signal)
    outgoing.end(body)
    return await head
  } catch (error) {
    failed.abort(error)
    const mayHaveArrived = error instanceof Unanswered && error.connected
    const cause = error instanceof Unanswered ? error.cause : error
    const why = signal.aborted ? messageOf(signal.reason) : describe(cause, url)
    throw new NetworkError(why, { mayHaveArrived, cause })
  }
}

/**
 * The agent for an address, through a proxy where the environment names one. Without keep-alive:
 * minutes lie between two checks, and a connection that the other side has closed meanwhile would
 * look like a failed one.
 */
function agentFor(url: URL, signal: AbortSignal): http.Agent {
  const proxy = proxyFor(url)
  if (proxy) return new TunnelAgent(proxy, signal)
  return url.protocol === 'https:' ? new https.Agent() : new http.Agent()
}

/** Errors of several addresses come as an AggregateError without a text of its own. */
function describe(error: unknown, { host }: URL): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection failed'
  return `${host}: ${messageOf(first) || code}`
}
