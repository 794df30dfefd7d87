import { describe, expect, it, jest } from '@jest/globals'
import { SeededRandom } from '../../sandbox/simulation/seeded-random.ts'
import { SimulatedCache, SimulatedStorage } from '../../sandbox/simulation/simulated-cache.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { PendingWork, runToEnd } from '../../sandbox/simulation/simulated-time.ts'
import { Traffic } from '../../sandbox/simulation/traffic.ts'

describe('the simulated cache', () => {
  const place = 'run-automation-7-490f54f65958e2cd-'
  const own = `${place}355ee842-${'0'.repeat(32)}-`

  /** Resolves to true if look-ups with faults evict the entry. */
  async function isEvicted(prefix: string): Promise<boolean> {
    const cache = new SimulatedCache()
    cache.add(`${own}v1`, 0, Buffer.of())
    for (let seed = 0; seed < 20; seed++) {
      const context = { clock: new SimulatedClock(), traffic: new Traffic(), rate: 1 }
      const storage = new SimulatedStorage({ ...context, cache, random: new SeededRandom(seed) })
      await storage.find({ prefix, name: 'record' }, neverAborts).catch(() => undefined)
    }
    return cache.newest(own, 0).length === 0
  }

  it('evicts a record that its own step looks up', async () => {
    expect(await isEvicted(own)).toBe(true)
  })

  it('keeps a record if only the prefix without the identity of the step is looked up', async () => {
    expect(await isEvicted(place)).toBe(false)
  })
})

it('waits for work on files as long as necessary', async () => {
  const [clock, pending] = [new SimulatedClock({ maxJump: 0 }), new PendingWork()]
  let now = 0
  const busyMachine = jest.spyOn(performance, 'now').mockImplementation(() => (now += 60_000))
  pending.begin()
  setTimeout(() => pending.end(), 5)
  const ending = await runToEnd(clock.sleep(10), clock, clock.now() + 20, pending)
  busyMachine.mockRestore()

  expect(ending).toEqual({ kind: 'returned', value: undefined })
})
