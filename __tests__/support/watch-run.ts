import { Deadline } from '../../src/clock.ts'
import type { Ending } from '../../src/execution/ending.ts'
import { poll, type PollPlan } from '../../src/execution/poll.ts'
import type { ExecutionStatus } from '../../src/service/contract.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'

/** The answer to a check: a record, a failure, or a function that gets the check's signal. */
export type Check = ExecutionStatus | Error | ((signal: AbortSignal) => Promise<ExecutionStatus>)

/** The calls of the listener. Moments are milliseconds from the beginning. */
interface Calls {
  pauses: number[]
  /** The number of each check. */
  counts: number[]
}

export interface Watched extends Calls {
  ending: Ending
  checkedAt: number[]
  endedAt: number
}

export interface Circumstances extends Partial<
  Pick<PollPlan, 'pollInterval' | 'lastCheck' | 'random' | 'cancelled'>
> {
  clock?: SimulatedClock
  timeout?: number
}

/** Follows a run whose checks have these answers. The last answer repeats. */
export async function watchRun(checks: Check[], given: Circumstances = {}): Promise<Watched> {
  const { clock = new SimulatedClock(), timeout = 3_600_000, cancelled = neverAborts } = given
  const checkedAt: number[] = []
  const calls: Calls = { pauses: [], counts: [] }
  const check = async (signal: AbortSignal) => {
    checkedAt.push(clock.elapsed)
    const next = checks[Math.min(checkedAt.length, checks.length) - 1]
    if (typeof next === 'function') return next(signal)
    if (next instanceof Error || next === undefined) throw next ?? new Error('no check is scripted')
    return Promise.resolve(next)
  }
  using deadline = new Deadline(clock, timeout, cancelled)
  const ending = await poll({
    check,
    clock,
    deadline,
    cancelled,
    pollInterval: given.pollInterval ?? 5_000,
    lastCheck: given.lastCheck,
    random: given.random ?? (() => 0),
    listener: {
      onCheck: (count, _, pause) => {
        calls.counts.push(count)
        if (pause !== undefined) calls.pauses.push(pause)
      },
    },
  })
  return { ending, checkedAt, endedAt: clock.elapsed, ...calls }
}
