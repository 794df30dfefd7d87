import type { SeededRandom } from './seeded-random.ts'

/** How often something goes wrong, from 0 (never) to 1. */
export interface FaultRates {
  service: number
  store: number
  cache: number
}

export const noFaults: FaultRates = { service: 0, store: 0, cache: 0 }

export function drawRates(random: SeededRandom): FaultRates {
  const cache = random.fork('rate of cache').pick([0, 0, 0, 0.2, 0.6])
  return { service: drawRate(random), store: drawRate(random), cache }
}

function drawRate(random: SeededRandom): number {
  return random.pick([0, 0.1, 0.3, 0.6, 0.9])
}
