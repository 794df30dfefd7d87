import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface LoopbackServer extends AsyncDisposable {
  /** With a slash at the end. */
  url: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export interface ServerOptions {
  /** Default: any free one. */
  port?: number
  /** PEM texts: https instead of http. */
  tls?: { key: string; cert: string } | undefined
}

/** A server on 127.0.0.1. Rejects when the port is taken. */
export async function openLoopbackServer(
  handle: Handler,
  { port = 0, tls }: ServerOptions = {},
): Promise<LoopbackServer> {
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // A client that went away mid-request is not a failure of the service.
    handle(request, response).catch(() => response.destroy())
  }
  const server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.close()
    // Stalled answers and idle clients would keep it open for good.
    server.closeAllConnections()
    await once(server, 'close')
  }
  const { port: actual } = server.address() as AddressInfo
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${actual}/`
  return { url, close, [Symbol.asyncDispose]: close }
}
