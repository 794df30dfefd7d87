import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import {
  openGithubApi,
  type GithubApi,
  type GithubApiFault,
} from '../../sandbox/runner/github-api.ts'
import { send } from '../sandbox/caller.ts'

const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const statuses = `/repos/owner/repo/statuses/${sha}`
const dispatches = '/repos/owner/repo/dispatches'
const pending = { state: 'pending', context: 'automation/daily_report', description: 'Running' }

function post(api: GithubApi, path: string, body: unknown, token = api.token): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { authorization: `Bearer ${token}` }
  return fetch(api.url + path, { method: 'POST', headers, body: text })
}

/** Sends a request and says what came of it. */
async function outcomeOf(api: GithubApi, path: string, body: unknown) {
  const { status } = await post(api, path, body)
  return { status, violations: api.requests.at(-1)?.violations }
}

describe('the stand-in of GitHub’s REST API', () => {
  it('takes a commit status and records it', async () => {
    await using api = await openGithubApi()
    const body = { ...pending, target_url: 'https://github.com/owner/repo/actions/runs/1' }
    expect((await post(api, statuses, body)).status).toBe(201)
    expect(api.requests).toMatchObject([
      { route: 'status', parameters: { owner: 'owner', repo: 'repo', sha }, violations: [] },
    ])
    expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual(body)
  })

  it('takes a repository dispatch and answers with nothing', async () => {
    await using api = await openGithubApi()
    const response = await post(api, dispatches, { event_type: 'ended', client_payload: { a: 1 } })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(api.requests).toMatchObject([{ route: 'dispatch', violations: [] }])
  })
})

describe('a request that breaks GitHub’s description', () => {
  it.each([
    ['an unknown state', statuses, { ...pending, state: 'running' }, '/state must be equal to one'],
    ['no state', statuses, { context: 'a' }, "must have required property 'state'"],
    ['a number for a text', statuses, { ...pending, context: 1 }, '/context must be string'],
    ['a member that GitHub does not know', statuses, { ...pending, link: 'x' }, 'additional'],
    ['too long a description', statuses, { ...pending, description: 'x'.repeat(141) }, '140'],
    ['an emoji in it', statuses, { ...pending, description: 'done \u{1f41b}' }, '/description'],
    ['too long a context', statuses, { ...pending, context: 'x'.repeat(256) }, '255'],
    ['another scheme', statuses, { ...pending, target_url: 'ftp://host/' }, '/target_url'],
    ['no event type', dispatches, { client_payload: {} }, "required property 'event_type'"],
    ['too long an event type', dispatches, { event_type: 'x'.repeat(101) }, '/event_type'],
    ['too large a payload', dispatches, { event_type: 'x'.repeat(65_536) }, '64 KiB'],
    ['no JSON', dispatches, '{"event_type":', 'Problems parsing JSON'],
    ['a service’s own delivery', dispatches, { execution: '1', result: null }, 'additional'],
  ])('is refused: %s', async (_, path, body, violation) => {
    await using api = await openGithubApi()
    const { status, violations } = await outcomeOf(api, path, body)
    expect(status).toBe(422)
    expect(violations?.join('\n')).toContain(violation)
  })

  it('is refused: eleven members of a payload, where ten pass', async () => {
    await using api = await openGithubApi()
    const payload = (count: number) => ({
      event_type: 'ended',
      client_payload: Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])),
    })
    expect(await outcomeOf(api, dispatches, payload(10))).toMatchObject({ status: 204 })
    expect(await outcomeOf(api, dispatches, payload(11))).toMatchObject({ status: 422 })
  })

  it.each([
    ['a description of 140 characters', { ...pending, description: '日'.repeat(140) }],
    ['null where it is allowed', { ...pending, description: null, target_url: null }],
  ])('is not one with %s', async (_, body) => {
    await using api = await openGithubApi()
    expect(await outcomeOf(api, statuses, body)).toEqual({ status: 201, violations: [] })
  })

  it('is one without a User-Agent', async () => {
    await using api = await openGithubApi()
    const headers = { authorization: `Bearer ${api.token}` }
    const { status } = await send(api.url + statuses, {
      method: 'POST',
      headers,
      body: JSON.stringify(pending),
    })
    expect([status, api.requests[0]?.violations]).toEqual([
      422,
      ['GitHub refuses requests without a User-Agent'],
    ])
  })

  it('is one to a route that is not described', async () => {
    await using api = await openGithubApi()
    expect(await outcomeOf(api, '/repos/owner/repo/status/abc', pending)).toEqual({
      status: 404,
      violations: ['GitHub describes no POST /repos/owner/repo/status/abc'],
    })
    expect((await fetch(api.url + statuses)).status).toBe(404)
  })
})

describe('the stand-in, out of order', () => {
  it.each<[GithubApiFault['fault'], number, string]>([
    ['bad-credentials', 401, 'Bad credentials'],
    ['no-permission', 403, 'Resource not accessible by integration'],
    ['not-found', 404, 'Not Found'],
    ['refused', 422, 'Validation Failed'],
    ['server-error', 500, 'Server Error'],
  ])('answers by name: %s', async (fault, status, message) => {
    await using api = await openGithubApi()
    api.inject({ fault })
    const response = await post(api, statuses, pending)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ message, status: String(status) })
  })

  it.each([403, 429] as const)('limits by %d and says when to come back', async (status) => {
    await using api = await openGithubApi()
    api.inject({ fault: `secondary-limit-${status}`, retryAfter: 2 })
    const response = await post(api, statuses, pending)
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, '2'])
    expect(await response.text()).toContain('You have exceeded a secondary rate limit')
  })

  it('hangs, and closes all the same', async () => {
    const api = await openGithubApi()
    api.inject({ fault: 'hang' })
    const hanging = post(api, statuses, pending)
    while (api.requests.length === 0) await turn()
    await Promise.all([api.close(), expect(hanging).rejects.toThrow('fetch failed')])
  })

  it('applies a fault on its route and as often as given', async () => {
    await using api = await openGithubApi()
    api.inject({ fault: 'server-error', on: 'status', times: 1 })
    expect(await outcomeOf(api, dispatches, { event_type: 'a' })).toMatchObject({ status: 204 })
    expect(await outcomeOf(api, statuses, pending)).toMatchObject({ status: 500 })
    expect(await outcomeOf(api, statuses, pending)).toMatchObject({ status: 201 })
  })

  it('refuses those who do not bring its token', async () => {
    await using api = await openGithubApi()
    expect((await post(api, statuses, pending, 'guessed')).status).toBe(401)
    expect((await fetch(api.url + statuses, { method: 'POST', body: '{}' })).status).toBe(401)
  })
})
