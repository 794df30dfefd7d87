/** The faults that a test can inject into the sandbox. */
import { jsonAnswer, textAnswer, type Answer } from '../http/answer.ts'
import { send, type Delivery } from '../http/delivery.ts'
import { expired } from './links.ts'
import type { RecordedRequest } from './recorded-request.ts'

export type FaultTarget =
  'start' | 'status' | 'create-project' | 'link-result' | 'link-log' | 'link'

interface Details {
  /** The requests that the fault hits. `link` means downloads of results and of logs. */
  on: FaultTarget
  /** The number of requests that the fault hits. Default: 1. */
  times?: number | 'always'
  /** The number of matching requests that pass before the fault begins. Default: 0. */
  skip?: number
  /** True if a request has its effect (a start starts a run) although its answer is replaced. */
  accepted?: boolean
  /** For `status` and `redirect`: the HTTP status of the answer. */
  status?: number
  /** For `status`: the headers of the answer. */
  headers?: Record<string, string>
  /** For `status`: the body of the answer. Default: empty. */
  body?: string
  /** For `redirect`: the target. Default: the path of the request. */
  location?: string
  /** For `cut-after` and `stall-body`: the number of bytes that are sent. Default: half of them. */
  bytes?: number
  /** For `drip`: the pause before each byte, in milliseconds. Default: 20. */
  every?: number
}

export interface FaultInput extends Details {
  fault: keyof typeof replacements | keyof typeof damages
}

/** The faults that replace the answer of the service. */
const replacements = {
  'reset-before-answer': () => ({ how: 'reset' }),
  'stall-headers': () => ({ how: 'silence' }),
  status: (fault) => send(statusAnswer(fault)),
  html: () => send(textAnswer(200, 'text/html; charset=utf-8', '<!doctype html>Sign in')),
  redirect: ({ status = 302, location }, { path }) =>
    send(statusAnswer({ status, headers: { location: location ?? path } })),
  expired: () => send(expired()),
} satisfies Record<string, (fault: Details, request: RecordedRequest) => Delivery>

/** The faults that change the answer or its transmission. `half` is half of the body's length. */
const damages = {
  'half-answer': (answer, half) => send(answer, { after: half, then: 'cut', lengthOff: 50 }),
  'half-chunked': (answer, half) => send(answer, { after: half, then: 'cut', chunked: true }),
  'cut-after': (answer, half, { bytes = half }) => send(answer, { after: bytes, then: 'cut' }),
  'stall-body': (answer, half, { bytes = half }) => send(answer, { after: bytes, then: 'stall' }),
  drip: (answer, _, { every = 20 }) => send(answer, { dripEvery: every }),
  'wrong-length': (answer) => send(answer, { lengthOff: 10 }),
  'wrong-types': ({ status, json = {} }) => send(jsonAnswer(status, withWrongTypes({ ...json }))),
  'missing-flags': ({ status, json = {} }) => send(jsonAnswer(status, withoutIdsAndFlags(json))),
} satisfies Record<string, (answer: Answer, half: number, fault: Details) => Delivery>

/** Returns what to send for a request. Calls `process` if the request is carried out. */
export async function deliveryFor(
  fault: FaultInput | undefined,
  request: RecordedRequest,
  process: () => Promise<Answer>,
): Promise<Delivery> {
  if (!fault) return send(await process())
  if (isReplacement(fault.fault)) {
    if (fault.accepted) await process()
    return replacements[fault.fault](fault, request)
  }
  const answer = await process()
  return damages[fault.fault](answer, Math.floor(answer.body.length / 2), fault)
}

function isReplacement(name: FaultInput['fault']): name is keyof typeof replacements {
  return name in replacements
}

type StatusDetails = Pick<Details, 'status' | 'headers' | 'body'>

function statusAnswer({ status = 500, headers = {}, body = '' }: StatusDetails): Answer {
  const type = /^\s*[[{]/.test(body) ? 'application/json' : 'text/plain'
  const answer = textAnswer(status, type, body)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function withWrongTypes(json: Record<string, unknown>): object {
  const entries = Object.entries(json)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? 42 : String(value)]),
  )
}

function withoutIdsAndFlags(json: object): object {
  const ids = ['execution_id', 'exec_uuid']
  const kept = Object.entries(json).filter(
    ([key, value]) => !ids.includes(key) && typeof value !== 'boolean',
  )
  return Object.fromEntries<unknown>(kept)
}
