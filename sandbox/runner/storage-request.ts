/** Receives the requests to the stand-ins for GitHub's storage services, and applies faults. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { bodyOf, jsonAnswer, storeRefusal, textAnswer, type Answer } from '../http/answer.ts'
import { deliver, send, type Delivery } from '../http/delivery.ts'

/** A received request. `body` is empty for the call `blob`, whose body is not a text. */
export interface StorageRequest<Call extends string> {
  call: Call | 'other'
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A fault of the call `on`. `times` is the number of requests that it hits (default: all). */
export type StorageFault<Call extends string> = { on: Call; times?: number } & (
  | { fault: 'status'; status: number; body?: string; headers?: Record<string, string> }
  /** The body of the request is not read, and no answer comes. */
  | { fault: 'stall' }
  /** The request is read and answered after `until` has resolved. */
  | { fault: 'pause'; until: () => Promise<void> }
  /** The connection is reset after the request. The request has no effect. */
  | { fault: 'reset' }
  /** The request has its effect, and then the connection is reset. */
  | { fault: 'lost' }
  /** The answer is 200 with a web page instead of JSON. */
  | { fault: 'html' }
  /** The request has its effect, but only half of the answer's body is sent. */
  | { fault: 'cut' }
)

/** Answers a request. `decide` returns the response if no fault hits the request. */
export async function answer<Call extends string>(
  incoming: IncomingMessage,
  response: ServerResponse,
  request: StorageRequest<Call>,
  fault: StorageFault<Call> | undefined,
  decide: (body: Buffer) => Answer,
): Promise<void> {
  // A stalled service accepts no bytes. The connection ends when the service closes.
  if (fault?.fault === 'stall') return
  if (fault?.fault === 'pause') await fault.until()
  const body = await buffer(incoming)
  if (request.call !== 'blob') request.body = body.toString()
  await deliver(
    response,
    deliveryFor(fault, request.call, () => decide(body)),
  )
}

function deliveryFor<Call extends string>(
  fault: StorageFault<Call> | undefined,
  call: string,
  decide: () => Answer,
): Delivery {
  if (fault?.fault === 'reset') return { how: 'reset' }
  if (fault?.fault === 'html') return send(textAnswer(200, 'text/html', 'Maintenance'))
  if (fault?.fault === 'status') return send(injected(fault, call))
  const answer = decide()
  if (fault?.fault === 'lost') return { how: 'reset' }
  return send(answer, fault?.fault === 'cut' ? { after: answer.body.length / 2, then: 'cut' } : {})
}

export function twirpRefusal(status: number, code: string, msg: string): Answer {
  return jsonAnswer(status, { code, msg })
}

export const unauthenticated = twirpRefusal(401, 'unauthenticated', 'invalid token')
export const badRoute = twirpRefusal(404, 'bad_route', 'no handler for this path')

/** Returns an error of the blob store, or an error for Twirp and REST routes alike. */
function injected(
  { status, body, headers }: { status: number; body?: string; headers?: Record<string, string> },
  call: string,
): Answer {
  const message = 'injected fault'
  const usual =
    call === 'blob'
      ? storeRefusal(status, 'InjectedFault')
      : jsonAnswer(status, { code: 'internal', msg: message, message })
  const content = body === undefined ? usual.body : bodyOf(body)
  return { ...usual, headers: { ...usual.headers, ...headers }, body: content }
}

/** Returns a JSON Web Token with the scope of one job and a random signature. */
export function makeRuntimeToken(): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [
    encode({ alg: 'RS256', typ: 'JWT' }),
    encode({ scp: 'Actions.Results:run-backend-id:job-backend-id' }),
    crypto.getRandomValues(Buffer.alloc(24)).toString('base64url'),
  ].join('.')
}
