/** Simulates the part of GitHub's API that reads and sets commit statuses. */
import { HttpError, NetworkError } from '../../src/service/service-errors.ts'
import type { CommitStatus, OpenStatuses } from '../../src/runner/commit-status.ts'
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

export function simulatedGithub({ clock, random, traffic, rate }: GithubContext): OpenStatuses {
  let requests = 0
  let standing: CommitStatus | undefined
  const request = async (what: string, signal: AbortSignal) => {
    if (traffic.ended.signal.aborted) throw new Error('gone')
    const draws = random.fork(`status ${requests++}`)
    const fault = draws.chance(rate) ? draws.pick(faults) : undefined
    traffic.faults.push(`commit status: ${fault?.name ?? what}`)
    await clock.sleep(fault?.name === 'no answer' ? 60_000 : draws.between(1, 2_000), signal)
    if (fault?.name === 'reset') throw new NetworkError('reset', { mayHaveArrived: true })
    if (fault) throw new HttpError({ status: fault.status, words: fault.name })
  }
  const statuses = {
    newest: async (_like: CommitStatus, signal: AbortSignal) => {
      await request('read', signal)
      return standing
    },
    send: async (status: CommitStatus, signal: AbortSignal) => {
      traffic.moments['commit status'].abort()
      await request(status.state, signal)
      standing = status
      traffic.statuses.push(status.state)
    },
  }
  return () => Promise.resolve(statuses)
}

const faults = [
  { name: 'no permission', status: 403 },
  { name: 'GitHub error', status: 500 },
  { name: 'reset', status: 0 },
  { name: 'no answer', status: 0 },
] as const
