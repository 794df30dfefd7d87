import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { openLoopbackServer } from '../../sandbox/http/loopback-server.ts'

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
  const server = await openLoopbackServer(async (incoming, response) => {
    const body = await text(incoming)
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body }
    seen.push(request)
    respond(response, request, seen.length)
  })
  return { ...server, url: server.url.slice(0, -1), seen }
}

/** Answers every request with this JSON. */
export function answering(status: number, body: unknown, headers = {}): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
