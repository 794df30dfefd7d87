/** Commit statuses on runners and with inputs that are not as they should be. */
import { describe, expect, it } from '@jest/globals'
import { openGithubApi } from '../../sandbox/runner/github-api.ts'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { answering, serve } from '../support/http-server.ts'
import { annotationsOf } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runAction } from './support/run-action.ts'

const action = 'start'
const asked = { 'commit-status': 'automation/text-note' }

/** The one annotation of a step that passed: what is said of the status. */
function theWarning(step: StepResult): string {
  expect([step.exitCode, step.annotations.map(({ level }) => level)]).toEqual([0, ['warning']])
  return annotationsOf(step, 'warning')[0]?.message ?? ''
}

describe('a GitHub', () => {
  it.each([
    ['no address', ''],
    ['half an address', 'api.github.com'],
    ['plain http', 'http://ghes.corp.test/api/v3'],
    ['a password', 'https://me:pa55word@ghes.corp.test/api/v3'],
  ])('whose address is %s is a warning that names GITHUB_API_URL', async (_, GITHUB_API_URL) => {
    await using sandbox = await openSandbox()
    const inputs = { ...asked, 'github-token': 'ghs_0123456789abcdef' }
    await using step = await runAction({ sandbox, action, inputs, env: { GITHUB_API_URL } })
    expect(theWarning(step)).toMatch(/was not set: GITHUB_API_URL is no https address/)
    expect(step.stdout + step.stderr).not.toContain('pa55')
  })

  it.each<[string, number, string]>([
    ['a web page instead of its API', 200, '<html>Sign in</html>'],
    ['a redirect', 302, ''],
    ['half of its JSON', 201, '{"state": "pen'],
    ['a web page', 403, '<html><h1>::error::Forbidden</h1></html>'],
  ])('that answers with %s (%d) changes no verdict', async (_, status, body) => {
    await using sandbox = await openSandbox()
    await using api = await serve(answering(status, body, { location: 'https://other.test/' }))
    const githubApi = { url: api.url, token: 'ghs_0123456789abcdef' }
    const inputs = { ...asked, 'execution-id': await finishRun(sandbox) }
    await using step = await runAction({ sandbox, githubApi, action: 'wait', inputs })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(annotationsOf(step, 'warning')).toHaveLength(status === 201 ? 0 : 1)
    expect([annotationsOf(step, 'error'), api.seen.length]).toEqual([[], 1])
  })

  it('that asks for a pause of days is not waited for', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    githubApi.inject({ fault: 'secondary-limit-429', retryAfter: 999_999_999 })
    await using step = await runAction({ sandbox, githubApi, action, inputs: asked })
    expect(theWarning(step)).toMatch(/GitHub answered 429 .* longer than this step waits/)
    expect(githubApi.requests).toHaveLength(1)
  })
})

describe('the name of a status', () => {
  it('that is a secret is not sent, nor printed', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const inputs = { 'commit-status': `automation/${sandbox.apiKey}` }
    await using step = await runAction({ sandbox, githubApi, action, inputs })
    expect(step.exitCode).toBe(0)
    expect(githubApi.requests[0]?.body).toContain('"automation/***"')
    expect(githubApi.requests[0]?.body).not.toContain(sandbox.apiKey)
    expect(step.log).not.toContain(sandbox.apiKey)
  })

  it.each(['a\u001b[31mb', 'a\nb', 'a\u0007b', 'x'.repeat(256)])(
    'that GitHub would not take is told before anything is started: %j',
    async (context) => {
      await using sandbox = await openSandbox()
      const inputs = { 'commit-status': context }
      await using step = await runAction({ sandbox, action, inputs })
      expect([step.exitCode, sandbox.requests]).toEqual([1, []])
      expect(step.annotations[0]?.message).toMatch(/^commit-status: expected/)
    },
  )

  it('that is blank asks for no status', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const inputs = { 'commit-status': ' \t ', 'commit-sha': 'no SHA' }
    await using step = await runAction({ sandbox, githubApi, action, inputs })
    expect([step.exitCode, step.annotations, githubApi.requests]).toEqual([0, [], []])
  })
})
