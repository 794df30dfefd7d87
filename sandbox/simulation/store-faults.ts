/** Draws faults between the action and the object store. */
import { NetworkError } from '../../src/service/service-errors.ts'
import { drawRetryAfter } from './api-faults.ts'
import type { SeededRandom } from './seeded-random.ts'

/** How the body of an answer arrives. */
export interface Transfer {
  ending: 'whole' | 'cut' | 'silent'
  /** The share of the bytes that is sent, from 0 to 1. */
  part: number
  /** The longest pause between two chunks, in milliseconds. */
  pause: number
  /** The number of bytes at the beginning that are sent at one byte per second. */
  dripping: number
}

export type StoreFault =
  | { kind: 'refused'; name: string; status: number; headers: Record<string, string> }
  | { kind: 'unreached'; name: string; silent: boolean; error: Error }
  | { kind: 'served'; name: string; transfer: Transfer; deviation: Deviation }

/** How the answer differs from a correct answer. */
export type Deviation = 'none' | 'changed' | 'no-length' | 'broken'

const flowing: Transfer = { ending: 'whole', part: 1, pause: 200, dripping: 0 }
export const faultless = { transfer: flowing, deviation: 'none' } as const

export function drawStoreFault(random: SeededRandom): StoreFault {
  return random.weigh(draws)(random)
}

/** An answer without content. The product must not treat this answer as an empty file. */
export const noContent: StoreFault = refused('store answers 204', 204)

type Draw = (random: SeededRandom) => StoreFault

const draws: readonly (readonly [number, Draw])[] = [
  [2, () => refused('link refused', 403)],
  [1, (random) => refused('store error', random.pick([500, 503, 404]))],
  [1, (random) => waiting(random)],
  [1, () => unreached('store unreachable', false, refusedConnection())],
  [1, () => unreached('store does not answer', true, refusedConnection())],
  [
    1,
    () =>
      unreached(
        'link is not https',
        false,
        new Error('the link leads to an address that is not https'),
      ),
  ],
  [3, (random) => served('download interrupted', random, 'cut')],
  [1, (random) => served('download interrupted, no length', random, 'cut', 'no-length')],
  [1, (random) => served('download too short', random, 'cut')],
  [2, (random) => served('download stalls', random, 'silent')],
  // Every pause is shorter than the stall timeout.
  [2, (random) => served('slow download', random, random.pick(['whole', 'cut']), 'none', 9_500)],
  [2, (random) => served('file changed', random, random.pick(['whole', 'cut']), 'changed')],
  [1, (random) => served('no length', random, 'whole', 'no-length')],
  [1, (random) => served('broken encoding', random, 'whole', 'broken')],
  [1, () => refused('store switches protocols (101)', 101)],
  [1, (random) => dripping(random)],
]

function refused(name: string, status: number, headers: Record<string, string> = {}): StoreFault {
  return { kind: 'refused', name, status, headers }
}

function waiting(random: SeededRandom): StoreFault {
  const headers = drawRetryAfter(random, Date.UTC(2026, 0, 1))
  return refused('store answers with Retry-After', random.pick([429, 503]), headers)
}

const refusedConnection = () => new NetworkError('connect ECONNREFUSED', { mayHaveArrived: false })

function unreached(name: string, silent: boolean, error: Error): StoreFault {
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

/** Sends the first bytes slowly. The product must treat each byte as progress. */
function dripping(random: SeededRandom): StoreFault {
  const transfer = { ...flowing, dripping: random.whole(1, 300) }
  return { kind: 'served', name: 'very slow download', transfer, deviation: 'none' }
}
