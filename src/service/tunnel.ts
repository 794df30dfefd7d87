/** Opens a tunnel through a proxy to an https address with CONNECT (RFC 9110, section 9.3.6). */
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { codeOf, messageOf } from '../errors.ts'
import { noData, whyNotConnected } from './service-errors.ts'
import { type Proxy, proxyWantsLogin } from './proxy.ts'

/** An HTTPS agent that sends one request through a tunnel. */
export class TunnelAgent extends https.Agent {
  readonly #tunnel: Duplex

  constructor(tunnel: Duplex) {
    super({ keepAlive: false })
    this.#tunnel = tunnel
  }

  override createConnection({ host }: http.ClientRequestArgs): Duplex {
    const name = host ?? ''
    const tunnel = this.#tunnel
    const secure = tls.connect({ host: name, servername: serverNameOf(name), socket: tunnel })
    secure.once('close', () => tunnel.destroy())
    return secure
  }
}

/**
 * Opens a tunnel. The proxy sees only the host and the port of the target. Rejects if the proxy
 * fails, if the signal aborts, or after `timeout` milliseconds without a byte.
 */
export function openTunnel(
  url: URL,
  proxy: Proxy,
  timeout: number,
  signal: AbortSignal,
): Promise<Duplex> {
  // The target keeps the brackets of an IPv6 address.
  const target = `${url.hostname}:${url.port || '443'}`
  const { protocol, host, port, authorization } = proxy
  const headers: http.OutgoingHttpHeaders = { host: target }
  if (authorization !== undefined) headers['proxy-authorization'] = authorization
  const { request } = protocol === 'https:' ? https : http
  // Without `servername`, Node would use the header `host`, which names the target, not the proxy.
  const servername = serverNameOf(host)
  return new Promise((resolve, reject) => {
    const refuse = (why: string, code?: string) =>
      reject(Object.assign(new Error(`no tunnel through the proxy: ${why}`), { code }))
    const outgoing = request({
      method: 'CONNECT',
      host,
      port,
      servername,
      path: target,
      headers,
      signal,
      timeout,
    })
    outgoing.once('connect', ({ statusCode = 0 }, socket, head) => {
      // Removes the timeout, because the request through the tunnel has its own timeout.
      socket.setTimeout(0)
      if (statusCode === 200 && head.length === 0) {
        resolve(socket)
        return
      }
      socket.destroy()
      const login = statusCode === 407 ? ' and wants a login' : ''
      const why =
        statusCode === 200 ? 'it sent unexpected data' : `it answered ${statusCode}${login}`
      refuse(why, statusCode === 407 ? proxyWantsLogin : undefined)
    })
    outgoing.once('timeout', () => outgoing.destroy(noData(timeout)))
    outgoing.once('error', (error) => {
      if (signal.aborted) refuse(messageOf(signal.reason))
      else refuse(whyNotConnected(error), codeOf(error))
    })
    outgoing.once('close', () => refuse('it closed the connection'))
    outgoing.end()
  })
}

/** Returns the server name of a host, or an empty text for an IP address (RFC 6066, section 3). */
function serverNameOf(host: string): string {
  return isIP(host) ? '' : host
}
