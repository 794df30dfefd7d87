import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface LoopbackServer extends AsyncDisposable {
  /** The address of the server, with a slash at the end. */
  url: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export interface ServerOptions {
  /** Default: any free port. */
  port?: number
  /** PEM texts. If they are set, the server uses https. */
  tls?: { key: string; cert: string } | undefined
}

/** Opens a server on 127.0.0.1. Rejects if the port is taken. */
export async function openLoopbackServer(
  handle: Handler,
  { port = 0, tls }: ServerOptions = {},
): Promise<LoopbackServer> {
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // The handler rejects if the client disconnects or the request is invalid.
    handle(request, response).catch(() => response.destroy())
  }
  const server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.close()
    // Without this call, stalled responses and idle clients would keep the server open.
    server.closeAllConnections()
    await once(server, 'close')
  }
  const { port: actual } = server.address() as AddressInfo
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${actual}/`
  return { url, close, [Symbol.asyncDispose]: close }
}
