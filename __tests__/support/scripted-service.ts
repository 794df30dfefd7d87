/** A service and its store that answer with given bytes. */
import type { Socket } from 'node:net'
import { serveRaw, type RawServer } from './raw-server.ts'
import { finished } from './execution-status.ts'

export type RouteName = 'start' | 'status' | 'link'

export interface Sent {
  bytes: Buffer
  /** What happens to the connection after the last byte. */
  then: 'end' | 'reset' | 'hold'
}

/** Returns the answer to the nth request of a route, from 1. Undefined: the default answer. */
export type Script = (count: number, head: string) => Sent | undefined

export interface ScriptedService extends RawServer {
  /** The number of requests on each route. */
  requests: Record<RouteName, number>
}

export const storedText = 'rows of a result\n'.repeat(40)

/** Serves the scripts. Without scripts, the first check reports the end, and a result exists. */
export async function serveScripted(
  scripts: Partial<Record<RouteName, Script>>,
): Promise<ScriptedService> {
  const requests = { start: 0, status: 0, link: 0 }
  const server = await serveRaw({
    onRequest: (socket, head) => {
      const route = routeOf(head)
      const count = ++requests[route]
      send(socket, scripts[route]?.(count, head) ?? defaultAnswer(route, server.url))
    },
  })
  return { ...server, requests }
}

function routeOf(head: string): RouteName {
  if (head.startsWith('POST /api/start-automation/')) return 'start'
  return head.includes('/status HTTP/1.1') ? 'status' : 'link'
}

function defaultAnswer(route: RouteName, url: string): Sent {
  switch (route) {
    case 'start':
      return json({ status: 'success', message: 'started', execution_id: 'e-1' })
    case 'status':
      return json({ ...finished, result_url: `${url}/result?sig=1234567890abcdef` })
    case 'link':
      return plain('text/plain', storedText)
  }
}

export function json(body: unknown): Sent {
  return plain('application/json', JSON.stringify(body))
}

export function plain(type: string, body: string, more = ''): Sent {
  const length = Buffer.byteLength(body)
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n${more}\r\n`
  return { bytes: Buffer.from(head + body), then: 'end' }
}

function send(socket: Socket, { bytes, then }: Sent): void {
  if (then === 'end') socket.end(bytes)
  else socket.write(bytes, () => then === 'reset' && socket.resetAndDestroy())
}
