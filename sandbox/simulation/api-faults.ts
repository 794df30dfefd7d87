/** Draws faults between the action and the service. Faults are counted by their names. */
import type { SeededRandom } from './seeded-random.ts'
import { echo, type Secret } from './secrets.ts'
import type { Route } from './traffic.ts'

export type Reaction =
  | { kind: 'no-connection'; silent: boolean }
  | { kind: 'no-answer'; silent: boolean; why: string }
  /** The correct answer arrives at one byte per second. */
  | { kind: 'drip' }
  /** The answer has the status and the `exec_uuid` of another execution. */
  | { kind: 'foreign' }
  /** The answer has the correct body, and a wrong status. */
  | { kind: 'other-status'; status: number }
  | {
      kind: 'answer'
      status: number
      headers?: Record<string, string>
      body: string
      /** The execution of somebody else that the body names. */
      executionId?: string
    }

export interface ApiFault {
  name: string
  /** True if the service executes the request. */
  arrives: boolean
  reaction: Reaction
}

interface Situation {
  route: Route
  random: SeededRandom
  now: number
  secrets: readonly Secret[]
}

type Draw = (situation: Situation) => ApiFault

export function drawApiFault(situation: Situation): ApiFault {
  const isStart = situation.route === 'start'
  return situation.random.weigh(isStart ? [...draws, ...drawsOfStart] : draws)(situation)
}

/** The service answers with the status of another execution. */
export const foreignStatus: ApiFault = {
  name: 'status of another execution',
  arrives: true,
  reaction: { kind: 'foreign' },
}

/** The service refuses a start with credentials that it has accepted before. */
export const refusedStart: ApiFault = {
  name: 'proven credentials refused',
  arrives: false,
  reaction: { kind: 'answer', status: 401, body: '' },
}

/** The service answers a start with the id of another run, as if it joined both requests. */
export function joinedStart(id: string): ApiFault {
  const body = JSON.stringify({ execution_id: id })
  return {
    name: 'execution of another run',
    arrives: false,
    reaction: { kind: 'answer', status: 200, body, executionId: id },
  }
}

const draws: readonly (readonly [number, Draw])[] = [
  [3, () => unreached('connection refused', false)],
  [1, () => unreached('no answer to the connection attempt', true)],
  [3, ({ random }) => unanswered('connection reset', false, 'read ECONNRESET', random)],
  [2, ({ random }) => unanswered('no answer', true, 'no data for 30 s', random)],
  [2, ({ random }) => unanswered('incomplete answer', false, 'the connection was cut', random)],
  [1, ({ random }) => unanswered('endless answer', false, 'larger than 1048576 bytes', random)],
  [3, drawMalformed],
  [2, drawRedirect],
  [2, (situation) => drawRefusal('4xx', [400, 404, 409, 413, 422, 408], situation)],
  [1, (situation) => drawRefusal('credentials refused', [401, 403], situation)],
  [1, drawRefusingPage],
  [3, (situation) => drawRefusal('5xx', [500, 502, 504, 503, 520], situation)],
  [2, (situation) => drawRefusal('429', [429], situation)],
  [2, (situation) => waiting('429 with Retry-After', 429, situation)],
  [2, (situation) => waiting('503 with Retry-After', 503, situation)],
  [2, drawSwitch],
  [2, () => ({ name: 'very slow answer', arrives: true, reaction: { kind: 'drip' } })],
]

/** The faults of a start: answers that name an execution and have the status of an error. */
const drawsOfStart: readonly (readonly [number, Draw])[] = [
  [3, drawAcceptedError],
  [3, drawNamingError],
]

function drawAcceptedError({ random }: Situation): ApiFault {
  const status = random.pick([408, 500, 502, 504, 520, 302, 503])
  const reaction = { kind: 'other-status', status } as const
  return { name: 'error with the id of the start', arrives: true, reaction }
}

function drawNamingError(situation: Situation): ApiFault {
  const { random, now } = situation
  const status = random.pick([409, 400, 401, 403, 429, 503])
  const executionId = `${random.digits(8)}-0000-4000-a000-${random.digits(12)}`
  const isWaiting = [429, 503].includes(status) && random.chance(0.5)
  const headers = isWaiting ? drawRetryAfter(random, now) : {}
  const body = JSON.stringify({ message: 'busy', execution_id: executionId })
  const arrives = status === 503 && random.chance(0.5)
  const reaction = { kind: 'answer', status, headers, body, executionId } as const
  return { name: 'error with the id of another execution', arrives, reaction }
}

/** Returns an unrequested answer 101. A transport may report this answer as no answer. */
function drawSwitch({ random }: Situation): ApiFault {
  const name = 'switches protocols (101)'
  if (random.chance(0.5)) return unanswered(name, false, 'it switched protocols', random)
  const headers = { upgrade: 'websocket' }
  const reaction = { kind: 'answer', status: 101, headers, body: '' } as const
  return { name, arrives: random.chance(0.5), reaction }
}

function unreached(name: string, silent: boolean): ApiFault {
  return { name, arrives: false, reaction: { kind: 'no-connection', silent } }
}

function unanswered(name: string, silent: boolean, why: string, random: SeededRandom): ApiFault {
  return { name, arrives: random.chance(0.5), reaction: { kind: 'no-answer', silent, why } }
}

function drawMalformed({ random, route, secrets }: Situation): ApiFault {
  const { name, body } = random.pick(malformedBodies(route))
  const type = random.pick(['application/json', 'text/html', echo(secrets, random)])
  const headers = { 'content-type': type }
  const status = random.pick([200, 202])
  return { name, arrives: random.chance(0.5), reaction: { kind: 'answer', status, headers, body } }
}

function drawRedirect({ random, secrets }: Situation): ApiFault {
  const status = random.pick([301, 302, 303, 304, 307, 308])
  const arrives = status >= 302 && status <= 304 && random.chance(0.5)
  const location = `https://elsewhere.example/${echo(secrets, random)}`
  const headers: Record<string, string> = random.chance(0.9) ? { location } : {}
  return { name: 'redirect', arrives, reaction: { kind: 'answer', status, headers, body: '' } }
}

function drawRefusal(name: string, statuses: readonly number[], situation: Situation): ApiFault {
  const { random } = situation
  const status = random.pick(statuses)
  const arrives = (status >= 500 || status === 408) && random.chance(0.5)
  return { name, arrives, reaction: { kind: 'answer', status, body: drawErrorBody(situation) } }
}

/** Returns the web page of a firewall or a gateway. */
function drawRefusingPage(situation: Situation): ApiFault {
  const { random, secrets } = situation
  const status = random.pick([401, 403, 400, 404, 405, 410])
  const body = `<html><h1>Forbidden</h1>${echo(secrets, random)}</html>`
  return { name: '4xx as a web page', arrives: false, reaction: { kind: 'answer', status, body } }
}

function waiting(name: string, status: number, situation: Situation): ApiFault {
  const { random, now } = situation
  const headers = drawRetryAfter(random, now)
  const body = drawErrorBody(situation)
  return { name, arrives: false, reaction: { kind: 'answer', status, headers, body } }
}

/**
 * Returns a `Retry-After` in seconds or as a date. Most values are between 0.3 and 90 s. The clock of
 * the service may differ by up to a day. Then the answer has a `Date`.
 */
export function drawRetryAfter(random: SeededRandom, now: number): Record<string, string> {
  const span = random.weigh<number>([
    [1, 0],
    [6, random.sizeBetween(300, 90_000)],
    [1, 600_000],
    [1, 999_999_999_000],
  ])
  if (random.chance(0.6)) return { 'retry-after': String(Math.ceil(span / 1_000)) }
  const dateOf = (time: number) => new Date(Math.min(time, 8e15)).toUTCString()
  if (random.chance(0.5)) return { 'retry-after': dateOf(now + span + 1_000) }
  const theirs = now + random.between(-86_400_000, 86_400_000)
  return { date: dateOf(theirs), 'retry-after': dateOf(theirs + span + 1_000) }
}

function drawErrorBody({ random, secrets }: Situation): string {
  const key = random.pick(['message', 'error', 'detail'])
  return random.weigh([
    [6, () => JSON.stringify({ [key]: echo(secrets, random) })],
    [2, () => `<html><h1>Bad Gateway</h1>${echo(secrets, random)}</html>`],
    [1, () => ''],
    // People see a body that is a list as it is, so a list has each secret as JSON spells it once.
    [1, () => JSON.stringify(secrets.map(({ value }) => `invalid: ${value}`))],
    [1, () => JSON.stringify({ [key]: { nested: true } })],
  ])()
}

/** A body that the service does not document, in an answer with the status 200 or 202. */
interface MalformedBody {
  name: string
  body: string
}

function malformedBodies(route: Route): readonly MalformedBody[] {
  return [...anywhere, ...ofRoute[route]]
}

const anywhere: readonly MalformedBody[] = [
  { name: 'HTML', body: '<!doctype html><title>Sign in</title>' },
  { name: 'array', body: '[{"finished":true,"execution_id":"forged"}]' },
  { name: 'null', body: 'null' },
  { name: 'empty body', body: '' },
  { name: 'JSON cut short', body: '{"finished":true,"execution_id":"forg' },
]

const state = { exec_uuid: null, finished: true, error: false, stopped: false }

const ofRoute: Record<Route, readonly MalformedBody[]> = {
  start: [
    wrong({ status: 'success', message: 'started' }),
    wrong({ execution_id: 7.5, message: 'started' }),
    wrong({ execution_id: '..' }),
    wrong({ execution_id: '', exec_uuid: ' ' }),
    wrong({ execution_id: 'line\nbreak' }),
  ],
  status: [
    missing(state),
    missing({}),
    wrong({ ...state, container_error: 'false' }),
    wrong({ ...state, finished: 1, container_error: false }),
    wrong({ ...state, error: null, container_error: false }),
    wrong({ ...state, container_error: false, result_url: 7 }),
  ],
  'create-project': [wrong({ message: 7 }), missing({})],
}

function wrong(value: object): MalformedBody {
  return { name: 'wrong types', body: JSON.stringify(value) }
}

function missing(value: object): MalformedBody {
  return { name: 'missing flags', body: JSON.stringify(value) }
}
