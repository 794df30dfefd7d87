import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { messageOf } from '../../src/errors.ts'
import { jsonAnswer, type Answer } from '../http/answer.ts'
import { deliver } from '../http/delivery.ts'
import type { Service } from './api.ts'
import { deliveryFor } from './faults.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { findRoute, type Route } from './routes.ts'

export async function handle(
  service: Service,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = message
  const route = findRoute(service, method, url)
  const request: RecordedRequest = {
    method,
    path: url,
    headers,
    at: service.settings.now(),
    kind: route.kind,
    body: '',
    isUtf8: true,
  }
  service.requests.push(request)
  // The fault is chosen before the body arrives, so that faults follow the order of the requests.
  const fault = service.faults.take(route.targets)
  const body = await buffer(message)
  request.body = body.toString('utf8')
  request.isUtf8 = isUtf8(body)
  await deliver(response, await deliveryFor(fault, request, () => process(route, request)))
}

async function process(route: Route, request: RecordedRequest): Promise<Answer> {
  try {
    return await route.answer(request)
  } catch (error) {
    return jsonAnswer(500, { message: `The sandbox itself failed: ${messageOf(error)}` })
  }
}
