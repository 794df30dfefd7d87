import { describe, expect, it } from '@jest/globals'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { finished } from '../../support/execution-status.ts'
import { httpError } from '../../support/failures.ts'
import { watchRun } from '../../support/watch-run.ts'

const earlyClock = () => new SimulatedClock({ early: () => 0.6 })

describe('a watch whose timers fire early', () => {
  it.each([300, 1_000, 90_000])('continues after a Retry-After of %d ms', async (retryAfter) => {
    const later = httpError(429, { retryAfter })
    const { ending, checkedAt } = await watchRun([later, finished], { clock: earlyClock() })

    expect([ending.kind, checkedAt.length]).toEqual(['finished', 2])
  })

  it('still makes no last check while a Retry-After runs', async () => {
    const later = httpError(429, { retryAfter: 60_000 })
    const circumstances = { clock: earlyClock(), timeout: 20_000 }
    const { ending, checkedAt } = await watchRun([later, finished], circumstances)

    expect([ending.kind, checkedAt]).toEqual(['timed-out', [0]])
  })

  it('makes its last check when the time has run out', async () => {
    const later = httpError(503)
    const circumstances = { clock: earlyClock(), timeout: 4_000 }
    const { ending } = await watchRun([later, finished], circumstances)

    expect(ending.kind).toBe('finished')
  })
})
