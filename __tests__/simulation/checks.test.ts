/** The simulated cache evicts, and the simulated time waits for files. */
import { describe, expect, it, jest } from '@jest/globals'
import { SeededRandom } from '../../sandbox/simulation/seeded-random.ts'
import { SimulatedCache, SimulatedStorage } from '../../sandbox/simulation/simulated-cache.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { PendingWork, runToEnd } from '../../sandbox/simulation/simulated-time.ts'
import { Traffic } from '../../sandbox/simulation/traffic.ts'

describe('a cache that evicts', () => {
  const place = 'run-automation-7-490f54f65958e2cd-'
  const own = `${place}355ee842-${'0'.repeat(32)}-`

  /** Whether the entry is gone after look-ups with all that can go wrong. */
  async function loses(prefix: string): Promise<boolean> {
    const cache = new SimulatedCache()
    cache.add(`${own}v1`, 0, Buffer.of())
    for (let seed = 0; seed < 20; seed++) {
      const given = { clock: new SimulatedClock(), traffic: new Traffic(), rate: 1 }
      const storage = new SimulatedStorage({ ...given, cache, random: new SeededRandom(seed) })
      await storage.find({ prefix, name: 'record' }, neverAborts)
    }
    return cache.newest(own, 0).length === 0
  }

  it('loses the record of the step that looks it up', async () => {
    expect(await loses(own)).toBe(true)
  })

  it('keeps that of another step, whose place alone is looked up', async () => {
    expect(await loses(place)).toBe(false)
  })
})

it('work on files may take any real time', async () => {
  const [clock, pending] = [new SimulatedClock({ maxJump: 0 }), new PendingWork()]
  let now = 0
  const busyMachine = jest.spyOn(performance, 'now').mockImplementation(() => (now += 60_000))
  pending.begin()
  setTimeout(() => pending.end(), 5)
  const ending = await runToEnd(clock.sleep(10), clock, clock.now() + 20, pending)
  busyMachine.mockRestore()

  expect(ending).toEqual({ kind: 'returned', value: undefined })
})
