import { describe, expect, it } from '@jest/globals'
import { AutomationService } from '../../../src/service/client.ts'
import type { HttpRequest } from '../../../src/service/http-request.ts'
import type { Answer } from '../../../src/service/transport.ts'
import { rejectionOf } from '../../support/rejection.ts'

const address = { baseUrl: 'https://a.example', statusBaseUrl: 'https://a.example' }
const credentials = { apiToken: 't', apiKey: 'k', authorizationScheme: 'token' } as const
const never = new AbortController().signal

/** Returns a client whose transport always gives this answer, and records the requests. */
function answering(answer: Partial<Answer>) {
  const requests: HttpRequest[] = []
  const send = (request: HttpRequest): Promise<Answer> => {
    requests.push(request)
    return Promise.resolve({ status: 200, headers: {}, body: '{}', receivedAt: 0, ...answer })
  }
  return { service: new AutomationService({ send }, address, credentials), requests }
}

describe('a check', () => {
  it('names every member of an answer that is not as documented', async () => {
    const flags = { finished: true, error: 'no', stopped: false, container_error: 0 }
    const { service } = answering({ body: JSON.stringify(flags) })
    const failure = await rejectionOf(service.executionStatus('e-1', never))
    expect(failure).toMatchObject({ name: 'MalformedAnswerError' })
    const error = 'error: expected boolean, found string'
    const containerError = 'container_error: expected boolean, found number'
    expect((failure as Error).message).toMatch(new RegExp(`: ${error}; ${containerError}$`))
  })
})

describe('a request', () => {
  it('has only the documented members', async () => {
    const { service, requests } = answering({})
    const more = { apiToken: 't', apiKey: 'k', timeout: 5 }
    const start = { project: 'p', automation: 'a', seed: '{"n":1.0}', ...more }
    const project = { region: 'eu-1', dockerVersion: '3.12', name: 'reports', ...more }

    await rejectionOf(service.startAutomation(start, never))
    await rejectionOf(service.createProject(project, never))

    expect(requests.map(({ body }) => body)).toEqual([
      '{"seed":{"n":1.0}}',
      '{"region":"eu-1","docker_version":"3.12","name":"reports"}',
    ])
  })
})
