import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface SeenRequest {
  method: string
  /** The path and the query, as sent. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface HttpServer extends AsyncDisposable {
  /** The address without a slash at its end. */
  url: string
  seen: SeenRequest[]
  [Symbol.asyncDispose](): Promise<void>
}

export type Respond = (response: ServerResponse, request: SeenRequest, count: number) => void

/** Serves on loopback and records all requests. `count`: the number of the request, from 1. */
export async function serve(respond: Respond): Promise<HttpServer> {
  const seen: SeenRequest[] = []
  const server = createServer((incoming, response) => {
    text(incoming).then(
      (body) => {
        const { method = '', url: path = '', headers } = incoming
        const request = { method, path, headers, body }
        seen.push(request)
        respond(response, request, seen.length)
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}`,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers every request with this JSON. */
export function answering(status: number, body: unknown, headers = {}): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
