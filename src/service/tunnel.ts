/** A tunnel to an https address through a proxy, made with CONNECT (RFC 9110, section 9.3.6). */
import http from 'node:http'
import https from 'node:https'
import { isIP, isIPv6 } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { noData } from './answer-head.ts'
import type { Proxy } from './proxy.ts'

type Connected = (error: Error | null, stream?: Duplex) => void

/** Connects one request through a proxy. The proxy sees host and port of the target alone. */
export class TunnelAgent extends https.Agent {
  readonly #proxy: Proxy
  readonly #signal: AbortSignal

  /** `signal` ends the making of the tunnel, as the timeout of the request does. */
  constructor(proxy: Proxy, signal: AbortSignal) {
    super({ keepAlive: false })
    this.#proxy = proxy
    this.#signal = signal
  }

  override createConnection(options: http.ClientRequestArgs, connected: Connected): undefined {
    const host = options.host ?? ''
    const target = `${isIPv6(host) ? `[${host}]` : host}:${String(options.port)}`
    openTunnel(target, this.#proxy, options.timeout ?? 0, this.#signal).then(
      (tunnel) => {
        const secure = tls.connect({ host, servername: serverNameOf(host), socket: tunnel })
        secure.once('close', () => tunnel.destroy())
        connected(null, secure)
      },
      (error: unknown) => connected(error as Error),
    )
  }
}

/** Rejects whatever ends the request for a tunnel. */
function openTunnel(
  target: string,
  proxy: Proxy,
  timeout: number,
  signal: AbortSignal,
): Promise<Duplex> {
  const { protocol, host, port, authorization } = proxy
  const headers: http.OutgoingHttpHeaders = { host: target }
  if (authorization !== undefined) headers['proxy-authorization'] = authorization
  const { request } = protocol === 'https:' ? https : http
  // Node would take the name from the header `host`, which is the target's.
  const servername = serverNameOf(host)
  return new Promise((resolve, reject) => {
    const refuse = (why: string) => reject(new Error(`no tunnel through the proxy: ${why}`))
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
      // What goes through it has a timeout of its own.
      socket.setTimeout(0)
      if (statusCode === 200 && head.length === 0) {
        resolve(socket)
        return
      }
      socket.destroy()
      refuse(statusCode === 200 ? 'it sent unexpected data' : `it answered ${String(statusCode)}`)
    })
    outgoing.once('timeout', () => outgoing.destroy(noData(timeout)))
    outgoing.once('error', ({ message }) => refuse(message))
    outgoing.once('close', () => refuse('it closed the connection'))
    outgoing.end()
  })
}

/** An IP address is not a server name (RFC 6066, section 3). */
function serverNameOf(host: string): string {
  return isIP(host) ? '' : host
}
