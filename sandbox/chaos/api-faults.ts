/** What can go wrong between the action and the service, each with a name to count it by. */
import type { Dice } from './dice.ts'
import type { ExtraFault, Extras } from './extra-faults.ts'
import { echo, type Secret } from './secrets.ts'
import { malformedBodies } from './malformed.ts'
import type { Route } from './ledger.ts'

export type Reaction =
  | { kind: 'no-connection'; silent: boolean }
  | { kind: 'no-answer'; silent: boolean; why: string }
  /** The service's own answer, a byte a second. */
  | { kind: 'drip' }
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body: string }

export interface ApiFault {
  name: string
  /** Whether the service does what it was asked, however the answer looks. */
  arrives: boolean
  reaction: Reaction
}

interface Situation {
  route: Route
  dice: Dice
  now: number
  secrets: readonly Secret[]
  extras: Extras
}

type Draw = (situation: Situation) => ApiFault

export function drawApiFault(situation: Situation): ApiFault {
  const { dice, extras } = situation
  const further = extraDraws.filter(([, , name]) => extras.has(name))
  const all = [...draws, ...further.map(([weight, draw]) => [weight, draw] as const)]
  return dice.weigh(all)(situation)
}

const draws: readonly (readonly [number, Draw])[] = [
  [3, () => unreached('connection refused', false)],
  [1, () => unreached('connecting is silent', true)],
  [3, ({ dice }) => unanswered('connection reset', false, 'read ECONNRESET', dice)],
  [2, ({ dice }) => unanswered('silence', true, 'silent for 30 s', dice)],
  [
    2,
    ({ dice }) =>
      unanswered(
        'half an answer',
        false,
        'the answer could not be read to its end: the connection was cut',
        dice,
      ),
  ],
  [1, ({ dice }) => unanswered('endless answer', false, 'larger than 1048576 bytes', dice)],
  [3, drawMalformed],
  [2, drawRedirect],
  [2, (situation) => drawRefusal('4xx', [400, 404, 409, 413, 422, 408], situation)],
  [0.2, (situation) => drawRefusal('credentials refused', [401, 403], situation)],
  [3, (situation) => drawRefusal('5xx', [500, 502, 504, 503, 520], situation)],
  [2, (situation) => drawRefusal('429', [429], situation)],
  [2, (situation) => waiting('429 with Retry-After', 429, situation)],
  [2, (situation) => waiting('503 with Retry-After', 503, situation)],
]

const extraDraws: readonly (readonly [number, Draw, ExtraFault])[] = [
  [2, drawSwitch, '101'],
  [2, () => ({ name: 'answer drips', arrives: true, reaction: { kind: 'drip' } }), 'drip'],
]

/** Nobody asked for another protocol. What it comes to is the transport's choice of these two. */
function drawSwitch({ dice }: Situation): ApiFault {
  const name = 'switches protocols (101)'
  if (dice.chance(0.5)) return unanswered(name, false, 'it switched protocols', dice)
  const headers = { upgrade: 'websocket' }
  const reaction = { kind: 'answer', status: 101, headers, body: '' } as const
  return { name, arrives: dice.chance(0.5), reaction }
}

function unreached(name: string, silent: boolean): ApiFault {
  return { name, arrives: false, reaction: { kind: 'no-connection', silent } }
}

function unanswered(name: string, silent: boolean, why: string, dice: Dice): ApiFault {
  return { name, arrives: dice.chance(0.5), reaction: { kind: 'no-answer', silent, why } }
}

function drawMalformed({ dice, route, secrets }: Situation): ApiFault {
  const { name, body } = dice.pick(malformedBodies(route))
  const type = dice.pick(['application/json', 'text/html', echo(secrets, dice)])
  const headers = { 'content-type': type }
  const status = dice.pick([200, 202])
  return { name, arrives: dice.chance(0.5), reaction: { kind: 'answer', status, headers, body } }
}

function drawRedirect({ dice, secrets }: Situation): ApiFault {
  const status = dice.pick([301, 302, 303, 304, 307, 308])
  const arrives = status >= 302 && status <= 304 && dice.chance(0.5)
  const location = `https://elsewhere.example/${echo(secrets, dice)}`
  const headers: Record<string, string> = dice.chance(0.9) ? { location } : {}
  return { name: 'redirect', arrives, reaction: { kind: 'answer', status, headers, body: '' } }
}

function drawRefusal(name: string, statuses: readonly number[], situation: Situation): ApiFault {
  const { dice } = situation
  const status = dice.pick(statuses)
  const arrives = (status >= 500 || status === 408) && dice.chance(0.5)
  return { name, arrives, reaction: { kind: 'answer', status, body: drawErrorBody(situation) } }
}

function waiting(name: string, status: number, situation: Situation): ApiFault {
  const { dice, now } = situation
  const seconds = dice.pick([0, 1, 7, 45, 600, 999_999_999])
  const date = new Date(Math.min(now + seconds * 1000, 8e15)).toUTCString()
  const headers = { 'retry-after': dice.chance(0.7) ? String(seconds) : date }
  const body = drawErrorBody(situation)
  return { name, arrives: false, reaction: { kind: 'answer', status, headers, body } }
}

function drawErrorBody({ dice, secrets }: Situation): string {
  const key = dice.pick(['message', 'error', 'detail'])
  return dice.weigh([
    [6, () => JSON.stringify({ [key]: echo(secrets, dice) })],
    [2, () => `<html><h1>Bad Gateway</h1>${echo(secrets, dice)}</html>`],
    [1, () => ''],
    [1, () => JSON.stringify([echo(secrets, dice)])],
    [1, () => JSON.stringify({ [key]: { nested: true } })],
  ])()
}
