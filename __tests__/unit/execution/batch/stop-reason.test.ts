import { describe, expect, it } from '@jest/globals'
import { Stop } from '../../../../src/execution/batch/stop.ts'
import { neverAborts } from '../../../../sandbox/simulation/simulated-clock.ts'

const seed = { index: 4, text: '{}', label: undefined, key: 'k', occurrence: 0 }

describe('a batch stops', () => {
  it('for the first reason that there is', () => {
    const deadline = new AbortController()
    const stop = new Stop(deadline.signal, neverAborts)
    stop.now('fail-fast', { seed })
    stop.now('surprise')
    deadline.abort()

    expect([stop.reason, stop.cause]).toEqual(['fail-fast', { seed }])
    expect(stop.signal.reason).toEqual(new Error('an earlier run failed (fail-fast)'))
  })

  it.each([
    ['timed-out', 'its time is over', neverAborts],
    ['cancelled', 'it is cancelled', AbortSignal.abort()],
  ])('%s, when %s', (reason, _, cancelled) => {
    const deadline = new AbortController()
    const stop = new Stop(deadline.signal, cancelled)
    expect([stop.reason, stop.signal.aborted]).toEqual([undefined, false])
    deadline.abort()

    expect([stop.reason, stop.signal.aborted]).toEqual([reason, true])
  })

  it('at once where its time is over from the beginning', () => {
    expect(new Stop(AbortSignal.abort(), neverAborts).reason).toBe('timed-out')
  })
})
