import { describe, expect, it, jest } from '@jest/globals'
import { openGithubApi, type GithubApiFault } from '../../sandbox/runner/github-api.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'
import { postStatus } from '../../src/runner/commit-status/github-client.ts'
import { answering, serve } from '../support/http-server.ts'
import { rejectionOf } from '../support/rejection.ts'

const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const status = {
  owner: 'owner',
  repo: 'repo',
  sha,
  state: 'pending' as const,
  context: 'automation/daily',
  description: 'Running',
  target_url: 'https://github.com/owner/repo/actions/runs/1',
}
const userAgent = 'run-automation/1.0.0 (start)'

function post({ url, token = 'ghs_7f3a' }: { url: string; token?: string }, signal = neverAborts) {
  return postStatus(status, { token, apiUrl: url, userAgent }, signal)
}

describe('GitHub’s client', () => {
  it.each(['', '/api/v3'])('sends what GitHub describes, to base path "%s"', async (base) => {
    await using api = await openGithubApi({ base })
    expect(await post(api)).toMatchObject({ status: 201, limited: false })
    const [request, ...more] = api.requests
    expect(more).toEqual([])
    expect(request).toMatchObject({ route: 'status', violations: [], parameters: { sha } })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      state: 'pending',
      context: 'automation/daily',
      description: 'Running',
      target_url: status.target_url,
    })
    expect(request?.headers['user-agent']).toContain(userAgent)
  })

  it.each<[GithubApiFault['fault'], number, string, boolean]>([
    ['bad-credentials', 401, 'Bad credentials', false],
    ['no-permission', 403, 'Resource not accessible by integration', false],
    ['not-found', 404, 'Not Found', false],
    ['refused', 422, 'Validation Failed: {"message":"the stand-in was told to refuse"}', false],
    ['server-error', 500, 'Server Error', false],
    ['secondary-limit-403', 403, 'You have exceeded a secondary rate limit', true],
    ['secondary-limit-429', 429, 'You have exceeded a secondary rate limit', true],
  ])('hands on a refusal in GitHub’s words: %s', async (fault, code, words, limited) => {
    await using api = await openGithubApi()
    api.inject({ fault, retryAfter: 7 })
    const answer = await post(api)
    expect(answer).toMatchObject({ status: code, limited, words: expect.stringContaining(words) })
    expect(answer.retryAfter).toBe(limited ? '7' : undefined)
    expect(answer.words).not.toContain('docs.github.com')
  })

  it('rejects where no answer comes', async () => {
    const api = await openGithubApi()
    await api.close()
    expect(await rejectionOf(post(api))).toMatchObject({ name: 'HttpError', status: 500 })
  })

  it('ends with the signal', async () => {
    await using api = await openGithubApi()
    api.inject({ fault: 'hang' })
    const cancellation = new AbortController()
    const rejection = rejectionOf(post(api, cancellation.signal))
    while (api.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    cancellation.abort(new Error('cancelled'))
    expect(await rejection).toMatchObject({ message: expect.stringContaining('cancelled') })
  })
})

describe('an answer that is not GitHub’s', () => {
  it.each([301, 302, 307, 308])('is not followed elsewhere with the token: %d', async (code) => {
    await using other = await serve(answering(201, {}))
    await using server = await serve(answering(code, {}, { location: `${other.url}/elsewhere` }))
    expect(await post(server)).toMatchObject({ status: code })
    expect([server.seen.length, other.seen.length]).toEqual([1, 0])
  })

  it('is not read to its end where it has none', async () => {
    await using server = await serve((response) => {
      response.writeHead(502, { 'content-type': 'text/plain' })
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(16_384), more)
      }
      more()
    })
    const { status: code, words } = await post(server)
    expect([code, words.length]).toEqual([502, 65_536])
  })

  it.each([
    ['is no JSON', '<html>'],
    ['is empty', ''],
    ['is deep', '['.repeat(30_000)],
  ])('is an answer all the same: one that %s', async (_, body) => {
    await using server = await serve(answering(422, body))
    expect(await post(server)).toMatchObject({ status: 422, limited: false })
  })

  it('prints nothing of its own', async () => {
    const print = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const headers = { deprecation: 'true', sunset: '::error::forged' }
    await using server = await serve(answering(201, {}, headers))
    expect(await post(server)).toMatchObject({ status: 201 })
    expect(print).not.toHaveBeenCalled()
    print.mockRestore()
  })
})
