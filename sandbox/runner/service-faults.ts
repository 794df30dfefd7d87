import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { inJson, type Reply } from './reply.ts'

/** What goes wrong: on which call, how, and how many times (default: every time). */
export type ServiceFault<Call extends string> = { on: Call; times?: number } & (
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

/** The faults still to come, in the order in which they were injected. */
export class PendingFaults<Fault extends { on?: string; times?: number }> {
  readonly #pending: { fault: Fault; left: number }[] = []

  inject(fault: Fault): void {
    this.#pending.push({ fault, left: fault.times ?? Infinity })
  }

  /** The next fault for this call, used up once more. */
  take(call: string): Fault | undefined {
    const next = this.#pending.find(({ fault, left }) => left > 0 && (fault.on ?? call) === call)
    if (next) next.left -= 1
    return next?.fault
  }
}

/** How one request is answered. */
export interface Answering<Call extends string> {
  fault: ServiceFault<Call> | undefined
  /** Gets the request's body, whatever is answered. */
  onBody: (body: Buffer) => void
  /** The answer where nothing goes wrong. */
  decide: (body: Buffer) => Reply
  /** An error of this part of the service in its usual form. */
  errorFor: (status: number) => Reply
}

export async function answer<Call extends string>(
  request: IncomingMessage,
  response: ServerResponse,
  { fault, onBody, decide, errorFor }: Answering<Call>,
): Promise<void> {
  // Not even read: a stalled service takes no bytes. Closing the service ends the connection.
  if (fault?.fault === 'stall') return
  if (fault?.fault === 'pause') await fault.until()
  const body = await buffer(request)
  onBody(body)
  if (fault?.fault === 'reset') response.destroy()
  else if (fault?.fault === 'cut') cut(response, decide(body))
  else {
    const reply = insteadOf(fault, errorFor) ?? decide(body)
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }
}

function insteadOf<Call extends string>(
  fault: ServiceFault<Call> | undefined,
  errorFor: (status: number) => Reply,
): Reply | undefined {
  if (fault?.fault === 'html') return page
  if (fault?.fault !== 'status') return undefined
  const usual = errorFor(fault.status)
  return { ...usual, body: fault.body ?? usual.body }
}

const page: Reply = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<html><body>Maintenance</body></html>',
}

/** An error of a Twirp or REST route. */
export function injected(status: number): Reply {
  return inJson(status, { code: 'internal', msg: 'injected fault', message: 'injected fault' })
}

function cut(response: ServerResponse, { status, headers, body }: Reply): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}
