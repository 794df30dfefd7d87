import { describe, expect, it } from '@jest/globals'
import { CountingStore } from '../support/store-clients.ts'
import { fetchResult } from '../support/download-run.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { serve } from '../support/http-server.ts'

const second = 1_000

/** Returns a step whose clock only the test moves. Its store never reaches its stall timeout. */
function stepWith(timeLeft: number) {
  const clock = new SimulatedClock({ maxJump: 0 })
  return {
    clock,
    deadline: clock.now() + timeLeft,
    store: new CountingStore(),
  }
}

/** Serves a file. The test sends each letter, and then the end. */
async function serveLetters() {
  const begun = Promise.withResolvers<{ send(letter: string): Promise<void>; end(): void }>()
  const server = await serve((response) => {
    response.flushHeaders()
    const send = (letter: string) =>
      new Promise<void>((resolve) => response.write(letter, () => resolve()))
    begun.resolve({ send, end: () => void response.end() })
  })
  return Object.assign(server, { begun: begun.promise })
}

describe('after the deadline', () => {
  it.each([10, -5])('a download may go 30 s without a byte (%d s left)', async (seconds) => {
    await using store = await serveLetters()
    const step = stepWith(seconds * second)
    const fetching = fetchResult(() => store.url, step)
    const { send, end } = await store.begun

    await step.clock.advance(29 * second)
    await send('late')
    await step.store.whenTaken(4)
    end()

    expect((await fetching).text).toBe('late')
    expect(step.clock.sleeping).toBe(0)
  })

  it('a download that receives bytes continues to its end', async () => {
    await using store = await serveLetters()
    const step = stepWith(2 * second)
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
    const fetching = fetchResult(() => store.url, step)
    const { send, end } = await store.begun

    for (const [index, letter] of letters.entries()) {
      await send(letter)
      await step.store.whenTaken(index + 1)
      await step.clock.advance(0.5 * second)
    }
    end()

    expect((await fetching).text).toBe(letters.join(''))
    expect(step.clock.elapsed).toBe(5 * second)
  })
})

describe('before the deadline', () => {
  it('a cancellation ends it at once, and leaves nothing', async () => {
    await using store = await serveLetters()
    const cancellation = new AbortController()
    const step = { ...stepWith(3600 * second), cancelled: cancellation.signal }
    const fetching = fetchResult(() => store.url, step)
    await (await store.begun).send('half')

    cancellation.abort(new Error('the runner sent SIGINT'))
    const { kept, onDisk } = await fetching

    expect([kept, onDisk]).toEqual([{ kind: 'unavailable', why: 'cancelled' }, []])
    expect(step.clock.sleeping).toBe(0)
  })
})
