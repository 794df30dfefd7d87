import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LoopbackServer extends AsyncDisposable {
  /** With a slash at the end. */
  url: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A server on 127.0.0.1, at a port of its own. */
export async function openLoopbackServer(handle: Handler): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    // A client that went away mid-request is not a failure of the service.
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`
  return { url, close, [Symbol.asyncDispose]: close }
}

/** A JSON web token with the scope of one job, and no true signature. */
export function makeRuntimeToken(): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [
    encode({ alg: 'RS256', typ: 'JWT' }),
    encode({ scp: 'Actions.Results:run-backend-id:job-backend-id' }),
    crypto.getRandomValues(Buffer.alloc(24)).toString('base64url'),
  ].join('.')
}
