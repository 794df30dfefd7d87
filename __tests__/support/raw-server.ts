import net, { type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'
import { testCertificate } from './test-certificate.ts'

export interface RawServer extends AsyncDisposable {
  port: number
  /** Without a slash at its end; http or https. */
  url: string
  /** The heads of all requests, as they came. */
  heads: string[]
  connections: Socket[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface Misbehaviour {
  /** At a connection, before anything was asked. */
  onConnection?: (socket: Socket) => void
  /** When a request's head, and what came with it, is here. */
  onRequest?: (socket: Socket, head: string) => void
}

/** A loopback server whose answers are bytes: for resets, partial answers and stalls. */
export async function serveRaw(behaviour: Misbehaviour): Promise<RawServer> {
  return listen('http', behaviour, (onSocket) => net.createServer(onSocket))
}

/** The same over TLS, with a certificate that is not trusted by default. */
export async function serveRawOverTls(
  behaviour: Misbehaviour,
  options: tls.TlsOptions = {},
): Promise<RawServer> {
  return listen('https', behaviour, (onSocket) => {
    // A client that does not trust the certificate ends the handshake with an error, as expected.
    return tls
      .createServer({ ...testCertificate, ...options }, onSocket)
      .on('tlsClientError', () => undefined)
  })
}

async function listen(
  scheme: string,
  { onConnection, onRequest }: Misbehaviour,
  create: (onSocket: (socket: Socket) => void) => net.Server,
): Promise<RawServer> {
  const heads: string[] = []
  const connections: Socket[] = []
  const server = create((socket) => {
    onConnection?.(socket)
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (!text.includes('\r\n\r\n')) return
      heads.push(text)
      onRequest?.(socket, text)
      text = ''
    })
  })
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    connections.push(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${scheme}://127.0.0.1:${String(port)}`,
    heads,
    connections,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of connections) socket.destroy()
      }),
  }
}
