import net, { type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'
import { testCertificate } from './test-certificate.ts'

export interface RawServer extends AsyncDisposable {
  port: number
  /** The address without a slash at its end. The scheme is http or https. */
  url: string
  /** The heads of all requests, as received. */
  heads: string[]
  connections: Socket[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface Misbehaviour {
  /** Called for each connection, before its first request. */
  onConnection?: (socket: Socket) => void
  /** Called with the head of each request, and the bytes that arrived with the head. */
  onRequest?: (socket: Socket, head: string) => void
}

/** Serves bytes on loopback, for resets, partial answers and stalls. */
export async function serveRaw(behaviour: Misbehaviour): Promise<RawServer> {
  return listen('http', behaviour, (onSocket) => net.createServer(onSocket))
}

/** Serves bytes over TLS, with a certificate that is not trusted by default. */
export async function serveRawOverTls(
  behaviour: Misbehaviour,
  options: tls.TlsOptions = {},
): Promise<RawServer> {
  return listen('https', behaviour, (onSocket) => {
    // If a client does not trust the certificate, the handshake ends with an error, as expected.
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
