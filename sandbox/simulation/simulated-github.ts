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
  return async ({ state }, signal) => {
    if (traffic.ended.signal.aborted) throw new Error('gone')
    const draws = random.fork(`status ${traffic.statuses.length}`)
    const sentAt = clock.now()
    const sent: Traffic['statuses'][number] = { state, sentAt, at: Infinity, answer: undefined }
    traffic.statuses.push(sent)
    const fault = draws.chance(rate) ? draws.pick(faults) : undefined
    traffic.faults.push(`commit status: ${fault?.name ?? state}`)
    try {
      await clock.sleep(fault?.isSilent ? 60_000 : draws.between(1, 2_000), signal)
      if (fault && fault.status === undefined) throw new Error('read ECONNRESET')
      sent.answer = fault?.status ?? 201
      return { status: sent.answer, words: fault?.name ?? '', limited: sent.answer === 429 }
    } finally {
      sent.at = clock.now()
    }
  }
}

const faults = [
  { name: 'no permission', status: 403, isSilent: false },
  { name: 'unknown commit', status: 422, isSilent: false },
  { name: 'rate limit', status: 429, isSilent: false },
  { name: 'GitHub error', status: 502, isSilent: false },
  { name: 'no answer', status: undefined, isSilent: true },
  { name: 'connection reset', status: undefined, isSilent: false },
] as const
