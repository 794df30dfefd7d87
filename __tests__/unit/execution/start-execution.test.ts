import { describe, expect, it } from '@jest/globals'
import { Deadline } from '../../../src/clock.ts'
import { startExecution } from '../../../src/execution/start-execution.ts'
import { adviseOn } from '../../../src/messages/advice.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { NetworkError } from '../../../src/service/errors.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { httpError } from '../../support/failures.ts'

const request = { project: 'demo', automation: 'report' }

/** Starts an execution in a step that ends after 10 s. The answer comes after `latency`. */
async function start(latency: number, cutBy: 'time' | 'cancellation', failure?: Error) {
  const clock = new SimulatedClock()
  const cancellation = new AbortController()
  if (cutBy === 'cancellation') void clock.sleep(10_000).then(() => cancellation.abort())
  using deadline = new Deadline(clock, cutBy === 'time' ? 10_000 : 3_600_000, cancellation.signal)
  const heard: string[] = []
  const startAutomation = async (_: unknown, signal: AbortSignal) => {
    await clock.sleep(latency, signal).catch(() => {
      throw new NetworkError('no answer arrived in time', { mayHaveArrived: true })
    })
    if (failure) throw failure
    return { executionId: 'e1', message: '' }
  }
  const { kind } = await startExecution(
    request,
    deadline,
    { service: { startAutomation }, clock, random: () => 0 },
    {
      onStarted: ({ executionId }) => void heard.push(executionId),
      onStartRetry: () => void heard.push('again'),
    },
  )
  return { kind, heard, endedAt: clock.elapsed }
}

it('a start whose time has run out is not sent, and the reason names no address', async () => {
  const clock = new SimulatedClock()
  using deadline = new Deadline(clock, 0)
  const service = { startAutomation: () => Promise.reject(new Error('it was sent')) }
  const nothing = () => undefined
  const outcome = await startExecution(
    request,
    deadline,
    { service, clock, random: () => 0 },
    { onStarted: nothing, onStartRetry: nothing },
  )
  const secrets = new Secrets(nothing)
  expect(outcome).toMatchObject({ kind: 'refused', failure: { name: 'TimeUp' } })
  expect('failure' in outcome && adviseOn(outcome.failure, 'start', secrets.show)).toEqual({
    why: 'Time ran out.',
    hint: 'Increase the input timeout.',
  })
})

describe.each(['time', 'cancellation'] as const)('a start in flight, cut off by %s,', (cutBy) => {
  it('gets 2 s more for its answer, and its id is reported', async () => {
    const started = await start(11_999, cutBy)

    expect(started).toEqual({ kind: 'accepted', heard: ['e1'], endedAt: 11_999 })
  })

  it('has an unknown outcome if no answer comes within these 2 s', async () => {
    const started = await start(12_001, cutBy)

    expect(started).toEqual({ kind: 'unknown', heard: [], endedAt: 12_000 })
  })

  it('is not sent again', async () => {
    const started = await start(11_000, cutBy, httpError(429))

    expect(started).toEqual({ kind: 'refused', heard: [], endedAt: 11_000 })
  })

  it('ends at once in a pause between two tries', async () => {
    const started = await start(0, cutBy, httpError(429, { retryAfter: 30_000 }))

    expect(started).toEqual({ kind: 'refused', heard: ['again'], endedAt: 10_000 })
  })
})
