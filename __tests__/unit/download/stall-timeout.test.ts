import { describe, expect, it } from '@jest/globals'
import { TimeUp } from '../../../src/clock.ts'
import { StallTimeout } from '../../../src/download/stall-timeout.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'

const second = 1_000

/** A watchdog whose step has this much time left, and when it gave up. Milliseconds. */
function watchOver(deadline: number, parent = neverAborts) {
  const clock = new SimulatedClock({ longestJump: 0 })
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
    expect(stallTimeout.signal.reason).toBeInstanceOf(TimeUp)
  })

  it('30 s after the last byte', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(3600 * second)

    await clock.advance(29 * second)
    stallTimeout.renew()
    await clock.advance(60 * second)

    expect(gaveUpAt()).toBe(59 * second)
  })

  it('a second after the deadline, when no byte comes', async () => {
    const { clock, gaveUpAt } = watchOver(10 * second)

    await clock.advance(60 * second)

    expect(gaveUpAt()).toBe(11 * second)
  })

  it('a second after it began, when it begins past the deadline and no byte comes', async () => {
    const { clock, gaveUpAt } = watchOver(-5 * second)

    await clock.advance(60 * second)

    expect(gaveUpAt()).toBe(1 * second)
  })

  it('ten minutes after the deadline, though bytes keep coming', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(10 * second)

    for (let half = 0; half < 2 * 700; half++) {
      await clock.advance(0.5 * second)
      stallTimeout.renew()
    }

    expect(gaveUpAt()).toBe(610 * second)
  })

  it('not after the deadline, while bytes keep coming', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(10 * second)

    for (let half = 0; half < 60; half++) {
      await clock.advance(0.5 * second)
      stallTimeout.renew()
    }

    expect(gaveUpAt()).toBeUndefined()
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

  it('a second after the deadline, though a link is asked for', async () => {
    const { clock, stallTimeout, gaveUpAt } = watchOver(10 * second)

    const asking = stallTimeout.suspend(() => clock.sleep(60 * second))
    await clock.advance(60 * second)
    await asking

    expect(gaveUpAt()).toBe(11 * second)
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

describe('why it was given up is', () => {
  it.each([
    ['that no byte came, before the deadline', 31, 'no byte came for 30 s'],
    ['the input timeout, from the deadline on', 30, 'the input timeout ran out before it had come'],
    ['the input timeout, later too', 10, 'the input timeout ran out before it had come'],
  ])('%s', async (_, seconds, why) => {
    const { clock, stallTimeout } = watchOver(seconds * second)

    await clock.advance(60 * second)

    expect(stallTimeout.signal.reason).toEqual(new TimeUp(why))
  })

  it('that it took ten minutes more, where bytes kept coming', async () => {
    const { clock, stallTimeout } = watchOver(0)

    for (let half = 0; half < 2 * 600; half++) {
      await clock.advance(0.5 * second)
      stallTimeout.renew()
    }

    const why = 'it had not come 10 min after the input timeout ran out'
    expect(stallTimeout.signal.reason).toEqual(new TimeUp(why))
  })
})
