import { expect, it } from '@jest/globals'
import { EventEmitter } from 'node:events'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { listenForCancellation } from '../../../src/runner/cancellation.ts'

function listen() {
  const source = new EventEmitter()
  const clock = new SimulatedClock()
  const finished = new AbortController()
  const overdueAt: number[] = []
  const onOverdue = () => overdueAt.push(clock.elapsed)
  const cancelled = listenForCancellation(source, { onOverdue, clock, finished: finished.signal })
  return { source, clock, finished, cancelled, overdueAt }
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s cancels a step, which has 6.5 s to end',
  async (name) => {
    const { source, clock, cancelled, overdueAt } = listen()
    source.emit(name)
    expect(cancelled.reason).toEqual(new Error(`the runner sent ${name}`))
    await clock.sleep(1_000)
    source.emit('SIGTERM')
    await clock.sleep(60_000)
    expect(overdueAt).toEqual([6_500])
  },
)

it('a step that has ended is not overdue', async () => {
  const { source, clock, finished, overdueAt } = listen()
  source.emit('SIGINT')
  finished.abort()
  await clock.sleep(60_000)
  expect(overdueAt).toEqual([])
})
