import { describe, expect, it } from '@jest/globals'
import { StallWatch } from '../../../src/runner/stall-watch.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../../support/rejection.ts'

const never = new AbortController().signal
const endless = new Promise<never>(() => undefined)

/** A watch whose time passes by `advance` alone. */
function makeWatch(parent = never) {
  const clock = new SimulatedClock({ longestJump: 0 })
  return { clock, watch: new StallWatch(clock, parent) }
}

describe('what makes no progress', () => {
  it('is ended after a minute', async () => {
    const { clock, watch } = makeWatch()
    await clock.advance(59_999)
    expect(watch.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(watch.signal.reason).toMatchObject({ name: 'TimeUp', message: 'no progress for 1 min' })
  })

  it('is let go when the step is cancelled', async () => {
    const cancellation = new AbortController()
    const { watch } = makeWatch(cancellation.signal)
    const work = rejectionOf(watch.bound(endless))
    cancellation.abort(new Error('cancelled'))
    expect(await work).toMatchObject({ message: 'cancelled' })
  })
})

describe('what makes progress', () => {
  it('goes on past the minute, for an hour in all', async () => {
    const { clock, watch } = makeWatch()
    for (let minutes = 0; minutes < 59; minutes++) {
      await clock.advance(59_000)
      watch.renew()
    }
    expect(watch.signal.aborted).toBe(false)
    for (let minutes = 0; minutes < 3; minutes++) {
      await clock.advance(59_000)
      watch.renew()
    }
    expect(watch.signal.reason).toMatchObject({ name: 'TimeUp', message: 'not done after 1 h' })
  })

  it('leaves no timer behind once it is done', async () => {
    const { clock, watch } = makeWatch()
    expect(await watch.bound(Promise.resolve('done'))).toBe('done')
    watch[Symbol.dispose]()
    await clock.advance(0)
    expect(clock.sleeping).toBe(0)
  })
})
