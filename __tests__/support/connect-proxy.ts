import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import { testCertificate } from './test-certificate.ts'

export interface ConnectProxy extends AsyncDisposable {
  url: string
  /** The targets of its CONNECT requests, and their credentials. */
  asked: { target: string; authorization: string | undefined }[]
  /** Connections that are open, to it and from it. */
  open: Set<Socket>
  /** Resolves when all of them are closed. */
  closed(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What follows a CONNECT: a tunnel to a port of this machine, a status that refuses, or nothing. */
export type ProxyBehaviour = { port: number } | { status: number } | 'stall'

/**
 * A small forward proxy that connects every CONNECT, whatever its target, to the same port. `secure`:
 * its clients speak TLS with it.
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
      // Read on, or the client's end would go unseen; a server's sockets outlive it by default.
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
