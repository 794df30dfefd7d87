/** The way to an https address through a proxy: a tunnel, made with CONNECT (RFC 9110, 9.3.6). */
import http from 'node:http'
import https from 'node:https'
import { isIP, isIPv6 } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { Proxy } from './proxy.ts'

type Connected = (error: Error | null, stream?: Duplex) => void

export class TunnelAgent extends https.Agent {
  readonly #proxy: Proxy
  readonly #signal: AbortSignal

  /** `signal` ends the making of a tunnel: a silent proxy would hold the process for ever. */
  constructor(proxy: Proxy, signal: AbortSignal) {
    super({ keepAlive: false })
    this.#proxy = proxy
    this.#signal = signal
  }

  override createConnection(options: http.ClientRequestArgs, connected: Connected): undefined {
    const host = options.host ?? ''
    const target = `${isIPv6(host) ? `[${host}]` : host}:${String(options.port)}`
    openTunnel(target, this.#proxy, this.#signal).then(
      (tunnel) => {
        // An address is no server name (RFC 6066, 3).
        const servername = isIP(host) ? '' : host
        const secure = tls.connect({ host, servername, socket: tunnel })
        secure.once('close', () => tunnel.destroy())
        connected(null, secure)
      },
      (error: unknown) => connected(error as Error),
    )
  }
}

/** Rejects whatever ends the request for a tunnel. */
function openTunnel(target: string, proxy: Proxy, signal: AbortSignal): Promise<Duplex> {
  const { protocol, host, port, authorization } = proxy
  const headers = {
    host: target,
    ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
  }
  const { request } = protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const refuse = (why: string) => reject(new Error(`no tunnel through the proxy: ${why}`))
    const asking = request({ method: 'CONNECT', host, port, path: target, headers, signal })
    asking.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode === 200 && head.length === 0) {
        resolve(socket)
        return
      }
      socket.destroy()
      refuse(statusCode === 200 ? 'it sent bytes of its own' : `it answered ${String(statusCode)}`)
    })
    asking.once('error', ({ message }) => refuse(message))
    asking.once('close', () => refuse('it closed the connection'))
    asking.end()
  })
}
