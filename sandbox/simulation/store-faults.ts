/** What can go wrong between the action and the object store. */
import { UnusableLinkError } from '../../src/download/store.ts'
import { NetworkError, type ServiceError } from '../../src/service/errors.ts'
import { drawRetryAfter } from './api-faults.ts'
import type { SeededRandom } from './seeded-random.ts'

/** How the body of an answer ends: after `part` (0 to 1) of its bytes, if not after all. */
export interface Transfer {
  ending: 'whole' | 'cut' | 'short' | 'silent'
  part: number
  /** Longest pause between two chunks. */
  pause: number
  /** So many bytes come first, one a second. */
  dripping: number
}

export type StoreFault =
  | { kind: 'refused'; name: string; status: number; headers?: Record<string, string> }
  | { kind: 'unreached'; name: string; silent: boolean; error: ServiceError }
  | { kind: 'served'; name: string; transfer: Transfer; deviation: Deviation }

/** How the store departs from what it was asked for. */
export type Deviation =
  'none' | 'changed' | 'no-ranges' | 'another-part' | 'another-version' | 'no-length' | 'broken'

const flowing: Transfer = { ending: 'whole', part: 1, pause: 200, dripping: 0 }
export const faultless = { transfer: flowing, deviation: 'none' } as const

export function drawStoreFault(random: SeededRandom): StoreFault {
  return random.weigh(draws)(random)
}

const draws: readonly (readonly [number, (random: SeededRandom) => StoreFault])[] = [
  [2, () => ({ kind: 'refused', name: 'link refused', status: 403 })],
  [
    1,
    (random) => ({
      kind: 'refused',
      name: 'store in trouble',
      status: random.pick([500, 503, 404]),
    }),
  ],
  [1, (random) => asksToWait(random)],
  [1, () => ({ kind: 'refused', name: '416', status: 416 })],
  [1, () => unreached('store unreachable', false, refusedConnection())],
  [1, () => unreached('store silent', true, refusedConnection())],
  [1, () => unreached('link leads nowhere', false, new UnusableLinkError('the link is not https'))],
  [3, (random) => served('download cut', random, 'cut')],
  [1, (random) => served('download cut, no length', random, 'cut', 'no-length')],
  [1, (random) => served('download too short', random, 'short')],
  [2, (random) => served('download stalls', random, 'silent')],
  [2, (random) => slowly(random)],
  [2, (random) => served('file changed', random, random.pick(['whole', 'cut']), 'changed')],
  [1, (random) => served('no ranges', random, 'cut', 'no-ranges')],
  [1, (random) => served('another part', random, 'whole', 'another-part')],
  [1, (random) => served('part of another version', random, 'whole', 'another-version')],
  [1, (random) => served('no length', random, 'whole', 'no-length')],
  [1, (random) => served('broken encoding', random, 'whole', 'broken')],
  [1, () => ({ kind: 'refused', name: 'store switches protocols (101)', status: 101 })],
  [1, (random) => dripping(random)],
]

/** Holds nothing else: another link may work at once. */
function asksToWait(random: SeededRandom): StoreFault {
  const headers = { 'retry-after': drawRetryAfter(random, Date.UTC(2026, 0, 1)) }
  const status = random.pick([429, 503])
  return { kind: 'refused', name: 'store asks to wait', status, headers }
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
): StoreFault {
  const part = ending === 'whole' ? 1 : random.number()
  return {
    kind: 'served',
    name,
    transfer: { ending, part, pause: random.pick([10, 800]), dripping: 0 },
    deviation,
  }
}

/** Slow, but never silent for long. */
function slowly(random: SeededRandom): StoreFault {
  const ending = random.pick(['whole', 'cut'])
  const transfer = {
    ending,
    part: ending === 'whole' ? 1 : random.number(),
    pause: 9_500,
    dripping: 0,
  }
  return { kind: 'served', name: 'slow download', transfer, deviation: 'none' }
}

/** A byte a second, which counts as progress. */
function dripping(random: SeededRandom): StoreFault {
  const transfer = { ...flowing, dripping: random.whole(1, 300) }
  return { kind: 'served', name: 'download drips', transfer, deviation: 'none' }
}
