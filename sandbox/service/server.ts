import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { messageOf } from '../../src/errors.ts'
import {
  openLoopbackServer,
  type LoopbackServer,
  type ServerOptions,
} from '../runner/loopback-server.ts'
import { jsonAnswer, type Answer } from './answer.ts'
import type { Service } from './api.ts'
import { deliver } from './delivery.ts'
import type { Faults } from './faults.ts'
import { arrange } from './faulty-delivery.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { findRoute, type Route } from './routes.ts'
import type { Serving } from './stored-file.ts'

export interface ServerParts {
  service: Service
  faults: Faults
  requests: RecordedRequest[]
  now: () => number
}

/** Rejects when the port is taken. */
export function listen(parts: ServerParts, options: ServerOptions): Promise<LoopbackServer> {
  return openLoopbackServer((message, response) => handle(parts, message, response), options)
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
  const body = await buffer(message)
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
