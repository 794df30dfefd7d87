/** Receives the requests of the stand-ins for GitHub's storage services, with faults. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { bodyOf, jsonAnswer, storeRefusal, textAnswer, type Answer } from '../http/answer.ts'
import { deliver, send, type Delivery } from '../http/delivery.ts'

/** A request that reached a service. `body` is empty if it transports bytes. */
export interface StorageRequest<Call extends string> {
  call: Call | 'other'
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A fault: the call that it hits, its kind, and how many times it happens (default: always). */
export type StorageFault<Call extends string> = { on: Call; times?: number } & (
  | { fault: 'status'; status: number; body?: string }
  /** The request is taken, the answer never comes. */
  | { fault: 'stall' }
  /** The request is read once this has settled, and answered as ever. */
  | { fault: 'pause'; until: () => Promise<void> }
  /** The connection is cut after the request. */
  | { fault: 'reset' }
  /** 200 with a page instead of JSON. */
  | { fault: 'html' }
  /** The request has its effect, the answer is cut in the middle. */
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
  // The request is not read: a stalled service accepts no bytes. Closing the service ends the
  // connection.
  if (fault?.fault === 'stall') return
  if (fault?.fault === 'pause') await fault.until()
  const body = await buffer(incoming)
  if (request.call !== 'blob') request.body = body.toString()
  await deliver(
    response,
    arrange(fault, request.call, () => decide(body)),
  )
}

function arrange<Call extends string>(
  fault: StorageFault<Call> | undefined,
  call: string,
  decide: () => Answer,
): Delivery {
  if (fault?.fault === 'reset') return { how: 'reset' }
  if (fault?.fault === 'html') return send(textAnswer(200, 'text/html', 'Maintenance'))
  if (fault?.fault === 'status') return send(injected(fault, call))
  const answer = decide()
  return send(answer, fault?.fault === 'cut' ? { after: answer.body.length / 2, then: 'cut' } : {})
}

/** How a Twirp route says no. */
export function twirpRefusal(status: number, code: string, msg: string): Answer {
  return jsonAnswer(status, { code, msg })
}

export const unauthenticated = twirpRefusal(401, 'unauthenticated', 'invalid token')
export const badRoute = twirpRefusal(404, 'bad_route', 'no handler for this path')

/** An error of the blob store, or of a Twirp or REST route. */
function injected({ status, body }: { status: number; body?: string }, call: string): Answer {
  const message = 'injected fault'
  const usual =
    call === 'blob'
      ? storeRefusal(status, 'InjectedFault')
      : jsonAnswer(status, { code: 'internal', msg: message, message })
  return { ...usual, body: body === undefined ? usual.body : bodyOf(body) }
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
