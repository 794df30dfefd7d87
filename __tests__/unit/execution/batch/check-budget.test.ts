import { describe, expect, it } from '@jest/globals'
import { CheckBudget } from '../../../../src/execution/batch/check-budget.ts'
import { Hold } from '../../../../src/execution/batch/hold.ts'
import { neverAborts, SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../../../support/rejection.ts'

function budgetOf(perSecond: number) {
  const clock = new SimulatedClock()
  const hold = new Hold(clock)
  const budget = new CheckBudget(clock, hold, perSecond)
  /** The moments at which so many checks may be sent. */
  const turns = async (count: number) => {
    const moments: number[] = []
    for (let rest = count; rest > 0; rest--) {
      await budget.turn(neverAborts)
      moments.push(clock.elapsed)
    }
    return moments
  }
  return { clock, hold, budget, turns }
}

describe('a budget of checks', () => {
  it('lets so many go at once, and the next ones a second after those', async () => {
    expect(await budgetOf(2).turns(5)).toEqual([0, 0, 1_000, 1_000, 2_000])
  })

  it('waits no longer than until the oldest of the last second is over', async () => {
    const { clock, turns } = budgetOf(2)
    await turns(1)
    await clock.sleep(600)

    expect(await turns(3)).toEqual([600, 1_000, 1_600])
  })

  it('lets none go while the service has asked to wait', async () => {
    const { hold, turns } = budgetOf(2)
    hold.extend(5_000)

    expect(await turns(3)).toEqual([5_000, 5_000, 6_000])
  })

  it('waits on where the service has asked again meanwhile', async () => {
    const { clock, hold, turns } = budgetOf(2)
    hold.extend(5_000)
    void clock.sleep(3_000).then(() => hold.extend(4_000))

    expect(await turns(1)).toEqual([7_000])
  })

  it('counts what went, and not what left before its turn', async () => {
    const { budget, turns } = budgetOf(1)
    await turns(1)
    await rejectionOf(budget.turn(AbortSignal.abort()))
    const cancellation = new AbortController()
    const left = rejectionOf(budget.turn(cancellation.signal))
    cancellation.abort(new Error('cancelled'))

    expect(await left).toEqual(new Error('cancelled'))
    expect(budget.count).toBe(1)
    expect(await turns(1)).toEqual([1_000])
  })

  it('asks for pauses that leave a tenth of it', () => {
    expect(budgetOf(5).budget.pauseFor(90)).toBe(20_000)
    expect(budgetOf(Infinity).budget.pauseFor(90)).toBe(0)
  })
})

describe('a hold', () => {
  it('ends with the latest wish', () => {
    const { hold } = budgetOf(1)
    hold.extend(5_000)
    hold.extend(2_000)
    expect(hold.remaining()).toBe(5_000)
    hold.extend(6_000)
    expect(hold.remaining()).toBe(6_000)
  })

  it('is over after its time, and remembered for a while', async () => {
    const { clock, hold } = budgetOf(1)
    expect([hold.remaining(), hold.endedWithin(1_000_000)]).toEqual([0, false])
    hold.extend(5_000)
    await clock.sleep(5_999)
    expect([hold.remaining(), hold.endedWithin(1_000)]).toEqual([0, true])
    await clock.sleep(1)
    expect(hold.endedWithin(1_000)).toBe(false)
  })
})
