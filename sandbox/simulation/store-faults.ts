/** Faults between the action and the object store. */
import { UnusableLinkError } from '../../src/download/store.ts'
import { NetworkError, type ServiceError } from '../../src/service/errors.ts'
import { drawRetryAfter } from './api-faults.ts'
import type { SeededRandom } from './seeded-random.ts'

/** How the body of an answer arrives. `part` (0 to 1) is the share of its bytes that is sent. */
export interface Transfer {
  ending: 'whole' | 'cut' | 'short' | 'silent'
  part: number
  /** The longest pause between two chunks, in milliseconds. */
  pause: number
  /** The number of bytes that come first, one a second. */
  dripping: number
}

export type StoreFault =
  | { kind: 'refused'; name: string; status: number; headers: Record<string, string> }
  | { kind: 'unreached'; name: string; silent: boolean; error: ServiceError }
  | { kind: 'served'; name: string; transfer: Transfer; deviation: Deviation }

/** How the answer differs from the request. */
export type Deviation =
  'none' | 'changed' | 'no-ranges' | 'another-part' | 'another-version' | 'no-length' | 'broken'

const flowing: Transfer = { ending: 'whole', part: 1, pause: 200, dripping: 0 }
export const faultless = { transfer: flowing, deviation: 'none' } as const

export function drawStoreFault(random: SeededRandom): StoreFault {
  return random.weigh(draws)(random)
}

/** An answer without a file. It must not count as an empty file. */
export const noContent: StoreFault = refused('store answers 204', 204)

type Draw = (random: SeededRandom) => StoreFault

const draws: readonly (readonly [number, Draw])[] = [
  [2, () => refused('link refused', 403)],
  [1, (random) => refused('store in trouble', random.pick([500, 503, 404]))],
  [1, (random) => asksToWait(random)],
  [1, () => refused('416', 416)],
  [1, () => unreached('store unreachable', false, refusedConnection())],
  [1, () => unreached('store silent', true, refusedConnection())],
  [1, () => unreached('link leads nowhere', false, new UnusableLinkError('the link is not https'))],
  [3, (random) => served('download cut', random, 'cut')],
  [1, (random) => served('download cut, no length', random, 'cut', 'no-length')],
  [1, (random) => served('download too short', random, 'short')],
  [2, (random) => served('download stalls', random, 'silent')],
  // Every pause is shorter than the stall timeout.
  [2, (random) => served('slow download', random, random.pick(['whole', 'cut']), 'none', 9_500)],
  [2, (random) => served('file changed', random, random.pick(['whole', 'cut']), 'changed')],
  [1, (random) => served('no ranges', random, 'cut', 'no-ranges')],
  [1, (random) => served('another part', random, 'whole', 'another-part')],
  [1, (random) => served('part of another version', random, 'whole', 'another-version')],
  [1, (random) => served('no length', random, 'whole', 'no-length')],
  [1, (random) => served('broken encoding', random, 'whole', 'broken')],
  [1, () => refused('store switches protocols (101)', 101)],
  [1, (random) => dripping(random)],
]

function refused(name: string, status: number, headers: Record<string, string> = {}): StoreFault {
  return { kind: 'refused', name, status, headers }
}

/** Does not delay other requests: another link may work at once. */
function asksToWait(random: SeededRandom): StoreFault {
  const headers = { 'retry-after': drawRetryAfter(random, Date.UTC(2026, 0, 1)) }
  return refused('store asks to wait', random.pick([429, 503]), headers)
}

const refusedConnection = () => new NetworkError('connect ECONNREFUSED', { mayHaveArrived: false })

function unreached(name: string, silent: boolean, error: ServiceError): StoreFault {
  return { kind: 'unreached', name, silent, error }
}

function served(
  name: string,
  random: SeededRandom,
  ending: Transfer['ending'],
  deviation: Deviation = 'none',
  slow?: number,
): StoreFault {
  const part = ending === 'whole' ? 1 : random.number()
  const pause = slow ?? random.pick([10, 800])
  return { kind: 'served', name, transfer: { ending, part, pause, dripping: 0 }, deviation }
}

/** Sends one byte a second. Each byte counts as progress. */
function dripping(random: SeededRandom): StoreFault {
  const transfer = { ...flowing, dripping: random.whole(1, 300) }
  return { kind: 'served', name: 'download drips', transfer, deviation: 'none' }
}
