import { describe, expect, it } from '@jest/globals'
import { TimeUp } from '../../../src/clock.ts'
import { StallTimeout } from '../../../src/download/stall-timeout.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'

const second = 1_000

/** A watchdog whose step has this much time left, and when it gave up. Milliseconds. */
function watchOver(deadline: number, parent = neverAborts) {
  const clock = new SimulatedClock({ maxJump: 0 })
  const stallTimeout = new StallTimeout(clock, clock.now() + deadline, parent)
  let gaveUpAt: number | undefined
  stallTimeout.signal.addEventListener('abort', () => (gaveUpAt = clock.elapsed))
  return { clock, stallTimeout, gaveUpAt: () => gaveUpAt }
}

describe('a download is given up', () => {
  it('after 30 s without a byte', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(3600 * second)

    await clock.advance(60 * second)

    expect(gaveUpAt()).toBe(30 * second)
    expect(stallTimeout.signal.reason).toEqual(new TimeUp('no byte came for 30 s'))
  })

  it('30 s after the last byte', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(3600 * second)

    await clock.advance(29 * second)
    stallTimeout.renew()
    await clock.advance(60 * second)

    expect(gaveUpAt()).toBe(59 * second)
  })

  it.each([10, 0, -5])('no sooner where the deadline is %d s away', async (seconds) => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(seconds * second)

    await clock.advance(60 * second)

    expect(gaveUpAt()).toBe(30 * second)
    expect(stallTimeout.signal.reason).toEqual(new TimeUp('no byte came for 30 s'))
  })

  it('ten minutes after the deadline, and not before, though bytes keep coming', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(10 * second)

    for (let half = 0; half < 2 * 700; half++) {
      await clock.advance(0.5 * second)
      stallTimeout.renew()
    }

    expect(gaveUpAt()).toBe(610 * second)
    const why = 'it had not come 10 min after the input timeout ran out'
    expect(stallTimeout.signal.reason).toEqual(new TimeUp(why))
  })

  it('not while a link is asked for, whose time is not counted', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(3600 * second)

    await clock.advance(20 * second)
    const asking = stallTimeout.suspend(() => clock.sleep(60 * second))
    await clock.advance(60 * second)
    await asking
    expect(gaveUpAt()).toBeUndefined()
    await clock.advance(60 * second)

    expect(gaveUpAt()).toBe((20 + 60 + 10) * second)
  })

  it('later by what was not counted, though a part of it had passed before the last byte', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(3600 * second)
    const ask = async () => {
      const asking = stallTimeout.suspend(() => clock.sleep(20 * second))
      await clock.advance(20 * second)
      await asking
    }

    await ask()
    stallTimeout.renew()
    await clock.advance(10 * second)
    await ask()
    await clock.advance(60 * second)

    expect(gaveUpAt()).toBe((20 + 10 + 20 + 20) * second)
  })

  it('at once when the step is cancelled', () => {
    const cancellation = new AbortController()
    const { stallTimeout } = watchOver(10 * second, cancellation.signal)
    const reason = new Error('cancelled')

    cancellation.abort(reason)

    expect(stallTimeout.signal.reason).toBe(reason)
  })

  it('not once it is over, and its timer is released', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(10 * second)

    stallTimeout[Symbol.dispose]()
    await clock.advance(60 * second)

    expect([gaveUpAt(), clock.sleeping]).toEqual([undefined, 0])
  })
})
