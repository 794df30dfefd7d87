import { describe, expect, it } from '@jest/globals'
import { sendStatus, type StatusAnswer } from '../../../src/runner/commit-status.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'

const answer = (status: number, limited = false): StatusAnswer => ({ status, words: '', limited })
/** The outcome if no answer is received in time. */
const late = { status: undefined, words: expect.any(String), limited: false }

/** How a try ends: with an answer, with a failure, or not at all. */
type Try = StatusAnswer | Error | 'hang'

interface Sent {
  outcome: StatusAnswer
  tries: number
  /** Milliseconds until the end. */
  took: number
  timersLeft: number
}

async function send(
  tries: Try[],
  cancelled = neverAborts,
  clock = new SimulatedClock(),
): Promise<Sent> {
  let count = 0
  const post = () => {
    const next = tries[count++] ?? new Error('no try is scripted')
    if (next === 'hang') return new Promise<never>(() => undefined)
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next)
  }
  const outcome = await sendStatus(post, { clock, cancelled })
  return { outcome, tries: count, took: clock.elapsed, timersLeft: clock.sleeping }
}

describe('a commit status', () => {
  it.each([201, 401, 403, 404, 422])('is sent once if GitHub answers %d', async (status) => {
    expect(await send([answer(status)])).toEqual({
      outcome: answer(status),
      tries: 1,
      took: 0,
      timersLeft: 0,
    })
  })

  it('is sent once if GitHub answers 503 and asks for a pause', async () => {
    const once = await send([answer(503, true), answer(201)])
    expect(once).toMatchObject({ outcome: answer(503, true), tries: 1, took: 0 })
  })

  it.each<[string, Try, number]>([
    ['502', answer(502), 1_000],
    ['a reset', new Error('reset'), 1_000],
    ['no answer', 'hang', 5_500],
  ])('is sent again after %s', async (_, first, took) => {
    expect(await send([first, answer(201)])).toEqual({
      outcome: answer(201),
      tries: 2,
      took,
      timersLeft: 0,
    })
  })

  it('is given up after the second try', async () => {
    const twice = await send([answer(500), answer(503), answer(201)])
    expect(twice.outcome).toEqual(answer(503))
    expect(twice.tries).toBe(2)
  })

  it('takes 10 s at most, whatever hangs', async () => {
    expect(await send(['hang', 'hang'])).toEqual({
      outcome: late,
      tries: 2,
      took: 10_000,
      timersLeft: 0,
    })
  })

  it('does not wait for a limit of requests', async () => {
    const { outcome, tries } = await send([answer(403, true), answer(201)])
    expect([outcome, tries]).toEqual([answer(403, true), 1])
  })

  it('is still set after a cancellation, in 2 s at most', async () => {
    const cancelled = AbortSignal.abort()
    expect((await send([answer(201)], cancelled)).outcome.status).toBe(201)
    expect(await send(['hang'], cancelled)).toEqual({
      outcome: late,
      tries: 1,
      took: 2_000,
      timersLeft: 0,
    })
  })

  it('has 2 s left when the step is cancelled during the request', async () => {
    const clock = new SimulatedClock()
    const cancellation = new AbortController()
    const sent = send(['hang', 'hang'], cancellation.signal, clock)
    void clock.sleep(1_500).then(() => cancellation.abort())
    expect(await sent).toMatchObject({ outcome: late, took: 3_500, timersLeft: 0 })
  })
})
