import { expect, it } from '@jest/globals'
import { fetchResult } from '../support/download-run.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { serve } from '../support/http-server.ts'

it('a cancellation ends a download at once, and leaves nothing', async () => {
  const cancellation = new AbortController()
  const clock = new SimulatedClock({ maxJump: 0 })
  await using store = await serve((response) => {
    response.write('half', () => cancellation.abort(new Error('the runner sent SIGINT')))
  })
  const { kept, onDisk } = await fetchResult(() => store.url, {
    clock,
    cancelled: cancellation.signal,
  })

  expect([kept, onDisk]).toMatchObject([{ kind: 'unavailable', why: 'cancelled' }, []])
  expect(clock.sleeping).toBe(0)
})
