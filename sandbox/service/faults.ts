/** The faults between the sandbox and its callers. */
import { bodyOf, jsonAnswer, textAnswer, type Answer } from '../http/answer.ts'
import { send, type Delivery } from '../http/delivery.ts'
import { expired } from './links.ts'
import type { RecordedRequest } from './recorded-request.ts'

export type FaultTarget =
  'start' | 'status' | 'create-project' | 'link-result' | 'link-log' | 'link'

interface Details {
  /** `link` is either link. */
  on: FaultTarget
  /** How many requests it hits. Default 1. */
  times?: number | 'always'
  /** How many requests pass unharmed before. */
  skip?: number
  /** The request has its effect (a start really starts) although the answer does not say so. */
  accepted?: boolean
  /** The status that is answered instead. */
  status?: number
  /** For `status`. */
  headers?: Record<string, string>
  body?: string
  /** The target of `redirect`. Default: the same path, relative. */
  location?: string
  /** For `cut-after` and `stall-body`: the bytes that arrive. Default: half of them. */
  bytes?: number
  /** `huge` without an end. */
  endless?: boolean
  /** `drip`: milliseconds between bytes. */
  every?: number
}

export interface FaultInput extends Details {
  fault: keyof typeof replacements | keyof typeof damages
}

/** Something else than the service's answer. */
const replacements = {
  'reset-before-answer': () => ({ how: 'reset' }),
  'stall-headers': () => ({ how: 'silence' }),
  status: (fault) => send(otherStatus(fault)),
  html: () => send(textAnswer(200, 'text/html; charset=utf-8', '<!doctype html>Sign in')),
  array: () => send(jsonAnswer(200, [])),
  redirect: ({ status = 302, location }, { path }) =>
    send(otherStatus({ status, headers: { location: location ?? path } })),
  'echo-credentials': ({ status = 401 }, { headers }) => {
    const { authorization, 'x-api-key': key } = headers
    return send(jsonAnswer(status, { detail: `refused: ${authorization} with ${String(key)}` }))
  },
  expired: () => send(expired()),
} satisfies Record<string, (fault: Details, request: RecordedRequest) => Delivery>

/** The service's answer, with another content or badly sent. `half`: of its bytes. */
const damages = {
  'half-answer': (answer, half) => send(answer, { after: half, then: 'cut', lengthOff: 50 }),
  'half-chunked': (answer, half) => send(answer, { after: half, then: 'cut', chunked: true }),
  'cut-after': (answer, half, { bytes = half }) => send(answer, { after: bytes, then: 'cut' }),
  'stall-body': (answer, half, { bytes = half }) => send(answer, { after: bytes, then: 'stall' }),
  drip: (answer, _, { every = 20 }) => send(answer, { dripEvery: every }),
  'wrong-length': (answer) => send(answer, { lengthOff: 10 }),
  'wrong-types': ({ status, json = {} }) => send(jsonAnswer(status, withWrongTypes({ ...json }))),
  'missing-flags': ({ status, json = {} }) => send(jsonAnswer(status, withoutIdsAndFlags(json))),
  huge: (answer, _, { endless = false }) =>
    send({ ...answer, body: hugeBody(answer, endless) }, endless ? { chunked: true } : {}),
} satisfies Record<string, (answer: Answer, half: number, fault: Details) => Delivery>

/** Returns what is sent for a request if this fault hits it. `process` carries out the request. */
export async function arrange(
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

type Other = Pick<Details, 'status' | 'headers' | 'body'>

function otherStatus({ status = 500, headers = {}, body = '' }: Other): Answer {
  const type = /^\s*[[{]/.test(body) ? 'application/json' : 'text/plain'
  const answer = textAnswer(status, type, body)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/**
 * A valid beginning and then padding: 2 MiB that end as complete JSON, or padding without an end.
 */
function hugeBody({ json }: Answer, endless: boolean) {
  const start = `${JSON.stringify(json).slice(0, -1)},"padding":"`
  if (!endless) return bodyOf(`${start}${'x'.repeat(2 * 1024 * 1024)}"}`)
  const padding = Buffer.alloc(64 * 1024, 'x')
  return {
    length: Infinity,
    *read() {
      yield Buffer.from(start)
      for (;;) yield padding
    },
  }
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
