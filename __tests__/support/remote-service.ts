/** A service behind a proxy and TLS. For a step, the service is not on this machine. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { serveProxy, type ConnectProxy } from './connect-proxy.ts'
import { serveRawOverTls, type RawServer } from './raw-server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { testCertificate } from './test-certificate.ts'

export interface RemoteService extends AsyncDisposable {
  server: RawServer
  proxy: ConnectProxy
  /** The connection inputs of a step that uses this service. */
  sandbox: { baseUrl: string; apiToken: string; apiKey: string }
  /** The environment variables of such a step. */
  env: Record<string, string>
}

/** Returns the bytes of an answer with this JSON. */
export function json(body: unknown): string {
  const text = JSON.stringify(body)
  const length = `content-length: ${Buffer.byteLength(text)}`
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${length}\r\n\r\n${text}`
}

/** `answer`: returns the bytes of the answer to a request with this head. */
export async function serveRemotely(
  answer: (head: string) => Buffer | string,
): Promise<RemoteService> {
  const folder = await makeTemporaryFolder()
  const authority = path.join(folder.path, 'authority.pem')
  await writeFile(authority, testCertificate.cert)
  const server = await serveRawOverTls({ onRequest: (socket, head) => socket.end(answer(head)) })
  const proxy = await serveProxy({ port: server.port })
  return {
    server,
    proxy,
    sandbox: { baseUrl: 'https://service.test', apiToken: 'token-7f3a', apiKey: 'key-91bc' },
    env: { NODE_EXTRA_CA_CERTS: authority, https_proxy: proxy.url },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}
