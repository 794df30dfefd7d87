import { describe, expect, it } from '@jest/globals'
import { RedirectError } from '../../src/service/errors.ts'
import { classify } from '../../src/service/send-at-most-once.ts'
import { serviceAt } from '../support/connections.ts'
import { answering, serve } from '../support/http-server.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../support/rejection.ts'

const daily = { project: 'reports', automation: 'daily' }
const started = { status: 'success', message: 'started', execution_id: 'e-1' }

/** Returns the error of a start that is answered like this. */
async function startRejection(status: number, body: unknown, headers = {}) {
  await using server = await serve(answering(status, body, headers))
  const failure = await rejectionOf(serviceAt(server.url).startAutomation(daily, neverAborts))
  expect(server.seen).toHaveLength(1)
  return failure
}

describe('a start succeeds', () => {
  it.each([200, 201, 202])('with %d and an id', async (status) => {
    await using server = await serve(answering(status, started))

    const answer = await serviceAt(server.url).startAutomation(daily, neverAborts)

    expect(answer).toEqual({ executionId: 'e-1', message: 'started' })
  })
})

describe('it is unknown whether a start was accepted', () => {
  it.each([
    ['an answer without an id', 200, { status: 'success' }],
    ['HTML', 200, '<html><body>Welcome</body></html>'],
    ['nothing', 202, ''],
  ])('after %s', async (_what, status, body) => {
    const failure = await startRejection(status, body)

    expect((failure as Error).name).toBe('MalformedAnswerError')
    expect(classify(failure)).toBe('unknown')
  })
})

describe('a redirect of the service', () => {
  it.each([301, 302, 303, 307, 308])('%d is never followed', async (status) => {
    await using elsewhere = await serve(answering(200, started))
    const location = `${elsewhere.url}/login`
    await using server = await serve(answering(status, {}, { location }))
    const service = serviceAt(server.url)

    const failures = [
      await rejectionOf(service.startAutomation(daily, neverAborts)),
      await rejectionOf(service.executionStatus('e-1', neverAborts)),
    ]

    expect(elsewhere.seen).toEqual([])
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(RedirectError)
      expect(failure).toMatchObject({ status })
    }
  })
})
