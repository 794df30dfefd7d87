import { describe, expect, it } from '@jest/globals'
import { serviceAt, userAgent } from '../support/connections.ts'
import { finished } from '../support/execution-status.ts'
import { answering, serve } from '../support/http-server.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'

const started = { status: 'success', message: 'started', execution_id: 'e-1' }
const daily = { project: 'reports', automation: 'daily' }

describe('a start', () => {
  it('is one POST, with both headers and the name of the action', async () => {
    await using server = await serve(answering(200, started))

    await serviceAt(server.url).startAutomation(daily, neverAborts)

    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/start-automation/reports/daily',
      body: '{}',
      headers: {
        authorization: 'Token token-7f3a',
        'x-api-key': 'key-91bc',
        'content-type': 'application/json',
        'content-length': '2',
        'user-agent': userAgent,
      },
    })
  })

  it('sends only the token if the scheme is bare', async () => {
    await using server = await serve(answering(200, started))

    await serviceAt(server.url, { authorizationScheme: 'bare' }).startAutomation(daily, neverAborts)

    expect(server.seen[0]?.headers.authorization).toBe('token-7f3a')
  })

  it.each([
    ['a/b', 'a%2Fb'],
    ['../admin', '..%2Fadmin'],
    ['ü', '%C3%BC'],
    ['two words', 'two%20words'],
    ['a;b=c&d', 'a%3Bb%3Dc%26d'],
  ])('writes the name %j as one segment', async (name, segment) => {
    await using server = await serve(answering(200, started))

    const request = { project: name, automation: name }
    await serviceAt(server.url).startAutomation(request, neverAborts)

    expect(server.seen[0]?.path).toBe(`/api/start-automation/${segment}/${segment}`)
  })

  it('sends only the optional fields that were given', async () => {
    await using server = await serve(answering(200, started))
    const service = serviceAt(server.url)
    const webhook = 'https://hook.example/?a="b"'

    await service.startAutomation({ ...daily, webhook }, neverAborts)
    await service.startAutomation({ ...daily, webhookHeaders: { 'X-Id': '7' } }, neverAborts)
    await service.startAutomation({ ...daily, seed: '{}' }, neverAborts)
    await service.startAutomation(
      { ...daily, webhook, webhookHeaders: {}, seed: '{"a":1}' },
      neverAborts,
    )

    expect(server.seen.map(({ body }) => body)).toEqual([
      '{"webhook":"https://hook.example/?a=\\"b\\""}',
      '{"webhook_header":{"X-Id":"7"}}',
      '{"seed":{}}',
      '{"webhook":"https://hook.example/?a=\\"b\\"","webhook_header":{},"seed":{"a":1}}',
    ])
  })

  it('sends only the documented members, and nothing else of the inputs', async () => {
    await using server = await serve(answering(200, { ...started, message: 'created' }))
    const service = serviceAt(server.url)
    const more = { apiToken: 't', apiKey: 'k', timeout: 5 }
    const project = { region: 'eu-1', dockerVersion: '3.12', name: 'reports' }

    await service.startAutomation({ ...daily, ...more }, neverAborts)
    await service.createProject({ ...project, ...more }, neverAborts)

    expect(server.seen.map(({ body }) => body)).toEqual([
      '{}',
      '{"region":"eu-1","docker_version":"3.12","name":"reports"}',
    ])
  })

  it.each([
    '{"n":12345678901234567890}',
    '{"n":1.0,"m":1e400,"z":-0}',
    '{"text":"\\u00fc\\/\\n","raw":"ü🚀"}',
    '{ "spaced" :\t[ 1 ,\r\n 2 ] }',
    '{"twice":1,"twice":2}',
    '{"__proto__":{"a":1}}',
  ])('sends the seed %j character for character', async (seed) => {
    await using server = await serve(answering(200, started))

    await serviceAt(server.url).startAutomation({ ...daily, seed }, neverAborts)

    expect(server.seen[0]?.body).toBe(`{"seed":${seed}}`)
    const bytes = Buffer.byteLength(`{"seed":${seed}}`)
    expect(server.seen[0]?.headers['content-length']).toBe(String(bytes))
  })

  it('keeps the path of base-url', async () => {
    await using server = await serve(answering(200, started))

    await serviceAt(`${server.url}/hosting`).startAutomation(daily, neverAborts)

    const path = '/hosting/api/start-automation/reports/daily'
    expect(server.seen[0]?.path).toBe(path)
  })
})

describe('a check', () => {
  it('is one GET without a body, at status-base-url', async () => {
    await using server = await serve(answering(200, finished))
    await using other = await serve(answering(500, {}))

    const service = serviceAt(other.url, {}, server.url)
    const status = await service.executionStatus('../e 1', neverAborts)

    expect(status).toEqual(finished)
    expect(other.seen).toEqual([])
    const [request] = server.seen
    expect(request).toMatchObject({ method: 'GET', body: '' })
    expect(request?.path).toBe('/api/v4/execution/..%2Fe%201/status')
    expect(request?.headers).toMatchObject({
      accept: 'application/json',
      authorization: 'Token token-7f3a',
      'x-api-key': 'key-91bc',
      'user-agent': userAgent,
    })
    expect(request?.headers).not.toHaveProperty('content-type')
  })
})
