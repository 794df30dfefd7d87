import { describe, expect, it } from '@jest/globals'
import { Deadline, systemClock, TimeUp } from '../../src/clock.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../support/rejection.ts'

describe('the system clock', () => {
  it('never wakes before the span has ended, even if timers fire early', async () => {
    const early: number[] = []
    const sleeper = async (span: number) => {
      const end = systemClock.now() + span
      await systemClock.sleep(span)
      early.push(Math.max(0, end - systemClock.now()))
    }

    await Promise.all(Array.from({ length: 100 }, (_, index) => sleeper(5 + index * 0.37)))

    expect(Math.max(...early)).toBe(0)
  })

  it('does not sleep for a span of 0 ms', async () => {
    await expect(systemClock.sleep(0)).resolves.toBeUndefined()
  })

  it('rejects with the signal’s reason when the signal aborts', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const sleep = rejectionOf(systemClock.sleep(60_000, controller.signal))

    controller.abort(reason)

    expect(await sleep).toBe(reason)
  })

  it('does not begin to sleep if the signal has aborted before', async () => {
    const reason = new Error('enough')

    expect(await rejectionOf(systemClock.sleep(60_000, AbortSignal.abort(reason)))).toBe(reason)
    expect(await rejectionOf(systemClock.sleep(0, AbortSignal.abort(reason)))).toBe(reason)
  })
})

describe('a deadline', () => {
  it('aborts its signal with TimeUp when its span has ended, not before', async () => {
    const clock = new SimulatedClock({ maxJump: 0 })
    const deadline = new Deadline(clock, 1000)

    await clock.advance(999)
    expect([deadline.signal.aborted, deadline.remaining()]).toEqual([false, 1])

    await clock.advance(1)
    expect(deadline.signal.reason).toBeInstanceOf(TimeUp)
    expect(deadline.remaining()).toBe(0)
    expect(deadline.at).toBe(clock.startedAt + 1000)
  })

  it('has no time left after its signal has aborted, even if its timer fired early', async () => {
    const clock = new SimulatedClock({ maxJump: 0, early: () => 0.9 })
    const deadline = new Deadline(clock, 1000)

    await clock.advance(999.5)

    expect(deadline.signal.aborted).toBe(true)
    expect(deadline.remaining()).toBe(0)
  })

  it('never has less than 0 ms left', async () => {
    const clock = new SimulatedClock({ maxJump: 0 })
    const deadline = new Deadline(clock, 1000)

    await clock.advance(5000)

    expect(deadline.remaining()).toBe(0)
  })

  it.each([0, -1])('of %d ms has passed from the beginning', (span) => {
    const deadline = new Deadline(new SimulatedClock(), span)

    expect(deadline.signal.reason).toBeInstanceOf(TimeUp)
    expect(deadline.remaining()).toBe(0)
  })

  it('aborts with the reason of its parent when that aborts first', () => {
    const parent = new AbortController()
    const deadline = new Deadline(new SimulatedClock({ maxJump: 0 }), 1000, parent.signal)
    const cancelled = new Error('cancelled')

    parent.abort(cancelled)

    expect(deadline.signal.reason).toBe(cancelled)
    expect(deadline.remaining()).toBe(1000)
  })

  it('begins anew at each renewal', async () => {
    const clock = new SimulatedClock({ maxJump: 0 })
    const deadline = new Deadline(clock, 1000, undefined, 'no byte came')
    await clock.advance(900)
    deadline.renew(1000)
    await clock.advance(999)
    expect([deadline.remaining(), deadline.signal.aborted]).toEqual([1, false])
    await clock.advance(1)
    expect(deadline.signal.reason).toEqual(new TimeUp('no byte came'))
  })

  it('releases its timer, and never aborts after that', async () => {
    const clock = new SimulatedClock({ maxJump: 0 })
    const deadline = new Deadline(clock, 1000)

    deadline[Symbol.dispose]()
    expect(clock.sleeping).toBe(0)

    await clock.advance(2000)
    expect(deadline.signal.aborted).toBe(false)
  })
})
