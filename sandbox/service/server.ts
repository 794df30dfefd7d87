import { isUtf8 } from 'node:buffer'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { messageOf } from '../../src/errors.ts'
import { jsonAnswer, type Answer } from './answer.ts'
import type { Service } from './api.ts'
import { deliver } from './delivery.ts'
import type { Faults } from './faults.ts'
import { arrange } from './faulty-delivery.ts'
import { readBody, type RecordedRequest } from './recorded-request.ts'
import { findRoute, type Route } from './routes.ts'
import type { Serving } from './stored-file.ts'

export interface ServerParts {
  service: Service
  faults: Faults
  requests: RecordedRequest[]
  now: () => number
}

export interface Listening {
  origin: string
  close(): Promise<void>
}

/** Listens on 127.0.0.1 only. Rejects when the port is taken. */
export async function listen(
  parts: ServerParts,
  port: number,
  tls: { key: string; cert: string } | undefined,
): Promise<Listening> {
  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    handle(parts, message, response).catch(() => response.destroy())
  }
  const server: Server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: actual } = server.address() as AddressInfo
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${actual}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      // Stalled answers and idle clients would keep it open for good.
      server.closeAllConnections()
      await closed
    },
  }
}

async function handle(parts: ServerParts, message: IncomingMessage, response: ServerResponse) {
  const { method = '', url = '', headers } = message
  const route = findRoute(parts.service, method, url)
  const request: RecordedRequest = {
    method,
    path: url,
    headers,
    at: parts.now(),
    kind: route.kind,
    body: '',
    isUtf8: true,
  }
  parts.requests.push(request)
  // The fault is chosen on arrival: requests that overlap keep the order in which they came.
  const fault = parts.faults.take(route.targets)
  const body = await readBody(message)
  request.body = body.toString('utf8')
  request.isUtf8 = isUtf8(body)
  const delivery = await arrange(fault, request, (serving) => process(route, request, serving))
  await deliver(response, delivery)
}

async function process(route: Route, request: RecordedRequest, serving: Serving): Promise<Answer> {
  try {
    return await route.answer(request, serving)
  } catch (error) {
    return jsonAnswer(500, { message: `The sandbox itself failed: ${messageOf(error)}` })
  }
}
