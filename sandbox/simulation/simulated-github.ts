/** Simulates the part of GitHub's API that sets commit statuses. */
import type { PostStatus } from '../../src/runner/commit-status.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { Traffic } from './traffic.ts'

interface GithubContext {
  clock: SimulatedClock
  random: SeededRandom
  traffic: Traffic
  /** The probability of a fault, from 0 to 1. */
  rate: number
}

export function simulatedGithub({ clock, random, traffic, rate }: GithubContext): PostStatus {
  return async ({ state }, _access, signal) => {
    if (traffic.ended.signal.aborted) throw new Error('gone')
    const draws = random.fork(`status ${traffic.statuses.length}`)
    traffic.statuses.push(state)
    const fault = draws.chance(rate) ? draws.pick(faults) : undefined
    traffic.faults.push(`commit status: ${fault?.name ?? state}`)
    await clock.sleep(fault?.isSilent ? 60_000 : draws.between(1, 2_000), signal)
    if (fault) throw new Error(fault.name)
  }
}

const faults = [
  { name: 'no permission', isSilent: false },
  { name: 'GitHub error', isSilent: false },
  { name: 'no answer', isSilent: true },
] as const
