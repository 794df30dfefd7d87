import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import { testCertificate } from './test-certificate.ts'

export interface ConnectProxy extends AsyncDisposable {
  url: string
  /** Targets and credentials of the CONNECT requests. */
  asked: { target: string; authorization: string | undefined }[]
  /** Open connections, to the proxy and from it. */
  open: Set<Socket>
  /** Resolves when all connections are closed. */
  closed(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** How the proxy answers CONNECT: a tunnel to a local port, a status that refuses, or nothing. */
export type ProxyBehaviour = { port: number } | { status: number } | 'stall'

/**
 * Serves a small forward proxy that connects every CONNECT to the same port, whatever its target.
 * `secure`: clients speak TLS with the proxy.
 */
export async function serveProxy(
  behaviour: ProxyBehaviour,
  { secure = false } = {},
): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'] = []
  const open = new Set<Socket>()
  const changes = new EventEmitter()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      changes.emit('closed')
    })
  }
  const server = secure ? createTlsServer(testCertificate) : createServer()
  server.on('request', (_request, response) => response.writeHead(405).end())
  server.on('connection', keep)
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] })
    if (behaviour === 'stall') {
      // The proxy reads on to see the client's end, and then closes its own side.
      client.resume().on('end', () => client.destroy())
      return
    }
    if ('status' in behaviour) {
      client.end(`HTTP/1.1 ${String(behaviour.status)} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const upstream = net.connect(behaviour.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    keep(upstream)
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    open,
    url: `http${secure ? 's' : ''}://127.0.0.1:${String(port)}`,
    closed: async () => {
      while (open.size > 0) await once(changes, 'closed')
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
