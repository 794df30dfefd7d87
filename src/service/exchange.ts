/**
 * The opening of one HTTP exchange, whoever it is with. Node's own client does the talking, because
 * it tells when a connection stands and takes a signal; the toolkit's client, which does neither,
 * says how to get there (proxies, `no_proxy`).
 */
import http from 'node:http'
import https from 'node:https'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { HttpClient } from '@actions/http-client'
import { messageOf } from '../errors.ts'
import { NetworkFailure } from './failures.ts'

/**
 * Opens an exchange and resolves with the answer's head; the body is still to be read. Rejects
 * with {@link NetworkFailure} alone. `silence` also guards the body's reading.
 */
export async function openExchange(
  url: URL,
  options: Pick<RequestOptions, 'method' | 'headers'>,
  body: string | undefined,
  silence: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const failed = new AbortController()
  const agent = agentFor(url, AbortSignal.any([signal, failed.signal]))
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent, signal })
    let exchange: http.ClientRequest | IncomingMessage = outgoing
    let connected = false
    whenConnected(outgoing, () => (connected = true))
    const fail = (cause: Error) => {
      const why = signal.aborted ? messageOf(signal.reason) : describe(cause, url)
      reject(new NetworkFailure(why, { mayHaveArrived: connected, cause }))
      failed.abort(cause)
    }
    outgoing.on('error', fail)
    guardAgainstSilence(outgoing, silence, (error) => {
      exchange.destroy(error)
      // A request that waits for its tunnel has no socket yet, and tells nobody of its end.
      fail(error)
    })
    outgoing.once('response', (message) => {
      exchange = message
      resolve(message)
    })
    outgoing.end(body)
  })
}

/**
 * The toolkit's agent for an address, through a proxy where the environment names one. Without
 * keep-alive: minutes lie between two checks, and a connection that the other side has closed
 * meanwhile would look like a failed one.
 */
function agentFor(url: URL, signal: AbortSignal): http.Agent {
  const agent: http.Agent = new HttpClient(undefined, [], { keepAlive: false }).getAgent(url.href)
  // The request for a tunnel is the agent's own, made from these options: without the signal, a
  // silent proxy would hold the exchange, and the whole process, for ever.
  if ('proxyOptions' in agent) Object.assign(agent.proxyOptions as object, { signal })
  return agent
}

/** A request is written when its connection stands, TLS included; before, nothing can arrive. */
function whenConnected(outgoing: http.ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    if ('encrypted' in socket) socket.once('secureConnect', connected)
    else if (socket.connecting) socket.once('connect', connected)
    else connected()
  })
}

/** A timer of our own until there is a socket: behind a proxy that is when the tunnel stands. */
function guardAgainstSilence(
  outgoing: http.ClientRequest,
  silence: number,
  onSilence: (error: Error) => void,
): void {
  const expire = () => {
    onSilence(new Error(`silent for ${String(silence / 1000)} s`))
  }
  const untilSocket = setTimeout(expire, silence)
  outgoing.once('socket', (socket) => {
    clearTimeout(untilSocket)
    socket.setTimeout(silence, expire)
  })
  // A request whose tunnel was refused fails without ever being closed.
  for (const end of ['close', 'error']) {
    outgoing.once(end, () => {
      clearTimeout(untilSocket)
    })
  }
}

/** Errors of several addresses come as an AggregateError without a text of its own. */
function describe(error: Error & { code?: string }, { host }: URL): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return `${host}: ${messageOf(first) || (error.code ?? 'connection failed')}`
}
