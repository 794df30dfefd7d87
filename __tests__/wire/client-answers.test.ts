import { describe, expect, it } from '@jest/globals'
import { RedirectError } from '../../src/service/service-errors.ts'
import { serviceAt } from '../support/connections.ts'
import { answering, serve } from '../support/http-server.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../support/rejection.ts'

const daily = { project: 'reports', automation: 'daily' }
const started = { status: 'success', message: 'started', execution_id: 'e-1' }

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
