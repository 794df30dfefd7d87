import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'

export interface ConnectProxy extends AsyncDisposable {
  url: string
  /** What it was asked to connect to, and by whom. */
  asked: { target: string; authorization: string | undefined }[]
  /** Connections that are open, to it and from it. */
  open: Set<Socket>
  /** Resolves when all of them are closed. */
  deserted(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** How it takes a CONNECT: a port of this machine to lead to, a status to refuse with, or not at all. */
export type Leading = { port: number } | { status: number } | 'silent'

/** A small forward proxy that leads every CONNECT, whatever name it asks for, to the same place. */
export async function serveProxy(leading: Leading): Promise<ConnectProxy> {
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
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connection', keep)
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] })
    if (leading === 'silent') {
      // Read on, or the client's end would go unseen; a server's sockets outlive it by default.
      client.resume().on('end', () => client.destroy())
      return
    }
    if ('status' in leading) {
      client.end(`HTTP/1.1 ${String(leading.status)} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const upstream = net.connect(leading.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    keep(upstream)
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ asked, open, url: `http://127.0.0.1:${String(port)}` },
    deserted: async () => {
      while (open.size > 0) await once(changes, 'closed')
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
