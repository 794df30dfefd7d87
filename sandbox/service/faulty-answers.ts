import { bodyOf, jsonAnswer, textAnswer, type Answer } from './answer.ts'
import type { Fault, FaultName } from './faults.ts'
import { expired } from './links.ts'
import type { RecordedRequest } from './recorded-request.ts'

const mebibyte = 1024 * 1024

type Replace = (fault: Fault, request: RecordedRequest) => Answer
const replacements: Partial<Record<FaultName, Replace>> = {
  status: (fault) =>
    withHeaders(textAnswer(fault.status ?? 500, 'text/plain', fault.body ?? ''), fault),
  html: () => textAnswer(200, 'text/html; charset=utf-8', '<!doctype html><title>Sign in</title>'),
  array: () => textAnswer(200, 'application/json', '[]'),
  empty: () => textAnswer(200, 'application/json', ''),
  redirect,
  'echo-credentials': echo,
  expired,
}

type Damage = (answer: Answer, json: Record<string, unknown>, fault: Fault) => Answer
const damages: Partial<Record<FaultName, Damage>> = {
  'wrong-types': ({ status }, json) => jsonAnswer(status, withWrongTypes(json)),
  'missing-flags': ({ status }, json) => jsonAnswer(status, withoutIdsAndFlags(json)),
  huge: (answer, json, fault) => ({ ...answer, body: hugeBody(json, fault) }),
}

/** Another answer instead of the real one, for the faults that bring one. */
export function replacement(fault: Fault, request: RecordedRequest): Answer | undefined {
  return replacements[fault.fault]?.(fault, request)
}

/** The real answer with its content damaged, for the faults that do that. */
export function damage(fault: Fault, answer: Answer): Answer {
  return (answer.json && damages[fault.fault]?.(answer, answer.json, fault)) ?? answer
}

function withHeaders(answer: Answer, { headers, body }: Fault): Answer {
  const json = body !== undefined && /^\s*[[{]/.test(body)
  const type = json ? { 'content-type': 'application/json' } : {}
  return { ...answer, headers: { ...answer.headers, ...type, ...lowerCased(headers) } }
}

function redirect({ status, location, headers }: Fault, { path }: RecordedRequest): Answer {
  const answer = textAnswer(status ?? 302, 'text/plain', '')
  return { ...answer, headers: { ...answer.headers, location: location ?? path, ...headers } }
}

function echo({ status }: Fault, { headers }: RecordedRequest): Answer {
  const { authorization, 'x-api-key': key } = headers
  return jsonAnswer(status ?? 401, { detail: `refused: ${authorization} with ${String(key)}` })
}

/** A valid beginning, then padding: complete JSON at its end, where it has one. */
function hugeBody(json: Record<string, unknown>, { bytes, endless }: Fault) {
  const start = `${JSON.stringify(json).slice(0, -1)},"padding":"`
  const size = bytes ?? 2 * mebibyte
  if (!endless) return bodyOf(`${start}${'x'.repeat(size)}"}`)
  const padding = Buffer.alloc(64 * 1024, 'x')
  return {
    length: Infinity,
    *read() {
      yield Buffer.from(start)
      for (;;) yield padding
    },
  }
}

function withWrongTypes(json: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      typeof value === 'string' ? 42 : String(value),
    ]),
  )
}

function withoutIdsAndFlags(json: Record<string, unknown>): Record<string, unknown> {
  const ids = ['execution_id', 'exec_uuid']
  const kept = Object.entries(json).filter(
    ([key, value]) => !ids.includes(key) && typeof value !== 'boolean',
  )
  return Object.fromEntries(kept)
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
