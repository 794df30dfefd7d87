import { expect, it } from '@jest/globals'
import { serviceAt, userAgent } from '../support/connections.ts'
import { finished } from '../support/execution-status.ts'
import { answering, serve } from '../support/http-server.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../support/rejection.ts'

const started = { status: 'success', message: 'started', execution_id: 'e-1' }
const daily = { project: 'reports', automation: 'daily' }
const headers = {
  accept: 'application/json',
  authorization: 'Token token-7f3a',
  'x-api-key': 'key-91bc',
  'user-agent': userAgent,
}

it('a start is one POST, with both credentials, the name of the action and the path of base-url', async () => {
  await using server = await serve(answering(200, started))

  await serviceAt(`${server.url}/hosting`).startAutomation(daily, neverAborts, neverAborts)

  expect(server.seen).toHaveLength(1)
  expect(server.seen[0]).toMatchObject({
    method: 'POST',
    path: '/hosting/api/start-automation/reports/daily',
    body: '{}',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': '2' },
  })
})

it('a check is one GET without a body, at status-base-url', async () => {
  await using server = await serve(answering(200, finished))
  await using other = await serve(answering(500, {}))

  const status = await serviceAt(other.url, {}, server.url).executionStatus('../e 1', neverAborts)

  expect([status, other.seen]).toEqual([finished, []])
  const path = '/api/v4/execution/..%2Fe%201/status'
  expect(server.seen).toMatchObject([{ method: 'GET', path, body: '', headers }])
  expect(server.seen[0]?.headers).not.toHaveProperty('content-type')
})

it('only the token is sent if the scheme is bare', async () => {
  await using server = await serve(answering(200, started))

  await serviceAt(server.url, { authorizationScheme: 'bare' }).startAutomation(
    daily,
    neverAborts,
    neverAborts,
  )

  expect(server.seen[0]?.headers.authorization).toBe('token-7f3a')
})

it.each([
  ['a/b', 'a%2Fb'],
  ['../admin', '..%2Fadmin'],
  ['ü', '%C3%BC'],
  ['two words', 'two%20words'],
  ['a;b=c&d', 'a%3Bb%3Dc%26d'],
])('the name %j is one segment of the path', async (name, segment) => {
  await using server = await serve(answering(200, started))

  await serviceAt(server.url).startAutomation(
    { project: name, automation: name },
    neverAborts,
    neverAborts,
  )

  expect(server.seen[0]?.path).toBe(`/api/start-automation/${segment}/${segment}`)
})

const webhook = 'https://hook.example/?a="b"'
const sentWebhook = '"webhook":"https://hook.example/?a=\\"b\\""'
it.each([
  [{ webhook }, `{${sentWebhook}}`],
  [{ webhookHeaders: { 'X-Id': '7' } }, '{"webhook_header":{"X-Id":"7"}}'],
  [
    { webhook, webhookHeaders: {}, seed: '{"a":1}' },
    `{${sentWebhook},"webhook_header":{},"seed":{"a":1}}`,
  ],
  // Nothing else of the inputs is sent.
  [{ apiToken: 't', apiKey: 'k', timeout: 5 }, '{}'],
  // A seed is sent character for character.
  ...[
    '{"n":12345678901234567890}',
    '{"n":1.0,"m":1e400,"z":-0}',
    '{"text":"\\u00fc\\/\\n","raw":"ü🚀"}',
    '{ "spaced" :\t[ 1 ,\r\n 2 ] }',
    '{"twice":1,"twice":2}',
    '{"__proto__":{"a":1}}',
  ].map((seed) => [{ seed }, `{"seed":${seed}}`] as const),
])('a start with %j has the body %s', async (request, body) => {
  await using server = await serve(answering(200, started))

  await serviceAt(server.url).startAutomation({ ...daily, ...request }, neverAborts, neverAborts)

  const length = String(Buffer.byteLength(body))
  expect(server.seen).toMatchObject([{ body, headers: { 'content-length': length } }])
})

it('a new project has only the documented members', async () => {
  await using server = await serve(answering(200, { message: 'created' }))
  const more = { apiToken: 't', apiKey: 'k', timeout: 5 }
  const project = { region: 'eu-1', dockerVersion: '3.12', name: 'reports' }

  await serviceAt(server.url).createProject({ ...project, ...more }, neverAborts, neverAborts)

  const body = '{"region":"eu-1","docker_version":"3.12","name":"reports"}'
  expect(server.seen).toMatchObject([
    { method: 'POST', path: '/api/create-project', body, headers },
  ])
})

it.each([301, 302, 303, 307, 308])('a redirect of %d is never followed', async (status) => {
  await using elsewhere = await serve(answering(200, started))
  const location = `${elsewhere.url}/login`
  await using server = await serve(answering(status, {}, { location }))
  const service = serviceAt(server.url)

  const failures = [
    await rejectionOf(service.startAutomation(daily, neverAborts, neverAborts)),
    await rejectionOf(service.executionStatus('e-1', neverAborts)),
  ]

  expect(elsewhere.seen).toEqual([])
  expect(failures).toMatchObject(Array(2).fill({ name: 'RedirectError', status }))
})
