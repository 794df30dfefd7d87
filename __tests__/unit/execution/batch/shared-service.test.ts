import { describe, expect, it } from '@jest/globals'
import { SharedService } from '../../../../src/execution/batch/shared-service.ts'
import { Stop } from '../../../../src/execution/batch/stop.ts'
import { NotSentError } from '../../../../src/service/errors.ts'
import { neverAborts, SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { running } from '../../../support/execution-status.ts'
import { httpError } from '../../../support/failures.ts'
import { rejectionOf } from '../../../support/rejection.ts'

const second = 1_000
const minute = 60 * second
const seed = { index: 4, text: '{}', label: undefined, key: 'k', occurrence: 0 }
const request = { project: 'demo', automation: 'report' }

/** A service whose calls take a second and meet these failures, one after the other. */
function shareService(...failures: (Error | undefined)[]) {
  const clock = new SimulatedClock()
  const sent: [string, number][] = []
  const call = async <Value>(what: string, value: Value): Promise<Value> => {
    sent.push([what, clock.elapsed])
    await clock.sleep(second)
    const failure = failures.shift()
    if (failure) throw failure
    return value
  }
  const stop = new Stop(neverAborts, neverAborts)
  const service = new SharedService(
    {
      startAutomation: ({ seed: text }) => call(`start ${text}`, { executionId: 'e', message: '' }),
      executionStatus: (id) => call(`check ${id}`, running),
    },
    { clock, checksPerSecond: 5, stop },
  )
  const start = (text = '{}') =>
    service.forSeed({ ...seed, text }).startAutomation({ ...request, seed: 'none' }, neverAborts)
  const check = () => service.executionStatus('e', neverAborts)
  return { clock, sent, stop, service, start, check }
}

describe('the service that runs share', () => {
  it.each([
    ['429 that says when to come again', httpError(429, { retryAfter: minute }), 61 * second],
    ['503 that says when to come again', httpError(503, { retryAfter: minute }), 61 * second],
    ['429 that does not', httpError(429), second],
    ['500, whatever it says', httpError(500, { retryAfter: minute }), second],
  ])('is left alone after a %s', async (_, failure, until) => {
    const { sent, start, check } = shareService(failure)
    await rejectionOf(check())
    await Promise.all([start(), check()])

    expect(sent.map(([, at]) => at)).toEqual([0, until, until])
  })

  it('is left alone though another call is not told when to come again', async () => {
    const { sent, start, check } = shareService(
      httpError(429, { retryAfter: minute }),
      httpError(429),
    )
    await Promise.all([rejectionOf(check()), rejectionOf(check())])
    await start()

    expect(sent.at(-1)).toEqual(['start {}', 61 * second])
  })

  it('gets each start with the text of its own seed', async () => {
    const { sent, start } = shareService()
    await Promise.all([start('{"a":1}'), start('{"b":2}')])

    expect(sent).toEqual([
      ['start {"a":1}', 0],
      ['start {"b":2}', 0],
    ])
  })

  it('gets starts one by one for a minute after a hold, then together again', async () => {
    const { clock, sent, start, check } = shareService(httpError(429, { retryAfter: second }))
    await rejectionOf(check())
    await Promise.all([start('1'), start('2')])
    await clock.sleep(minute)
    await Promise.all([start('3'), start('4')])

    expect(sent.slice(1)).toEqual([
      ['start 1', 2 * second],
      ['start 2', 3 * second],
      ['start 3', 64 * second],
      ['start 4', 64 * second],
    ])
  })
})

describe('no more starts are sent', () => {
  it('after one whose credentials were refused, which is told with its seed', async () => {
    const failure = httpError(401)
    const { sent, stop, start } = shareService(failure)
    expect(await rejectionOf(start())).toBe(failure)

    expect(await rejectionOf(start())).toEqual(
      new NotSentError('the service refused the credentials for a start'),
    )
    expect([stop.reason, stop.cause]).toEqual(['credentials', { seed, failure }])
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['waits for the end of a hold', 1],
    ['waits for the one before it', 2],
  ])('where the batch stops while one %s', async (_, starts) => {
    const { sent, stop, start, check } = shareService(httpError(429, { retryAfter: minute }))
    await rejectionOf(check())
    const waiting = Array.from({ length: starts }, () => rejectionOf(start()))
    stop.now('fail-fast')

    for (const failure of await Promise.all(waiting)) {
      expect(failure).toBeInstanceOf(NotSentError)
      expect(failure).toMatchObject({ cause: stop.signal.reason })
    }
    expect(sent).toHaveLength(1)
  })

  it('but other refusals stop none, and neither does a check', async () => {
    const { stop, start, check } = shareService(httpError(400), httpError(403))
    await rejectionOf(start())
    await rejectionOf(check())

    expect(stop.reason).toBeUndefined()
  })
})

it('a call that had no turn was not sent', async () => {
  const { service, sent } = shareService()
  const late = service.executionStatus('e', AbortSignal.abort(new Error('time is over')))
  expect(await rejectionOf(late)).toEqual(new NotSentError('time is over'))
  expect(sent).toEqual([])
})
