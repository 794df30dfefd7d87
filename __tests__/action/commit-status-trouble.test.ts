/** Tests that a problem with the commit status does not change how the step ends. */
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { serveProxy } from '../support/connect-proxy.ts'
import { answering, serve } from '../support/http-server.ts'
import { serveRemotely } from '../support/remote-service.ts'
import { openCommit, theWarning } from './support/commit.ts'
import { annotationsOf, requestsOf } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runAction, startAction } from './support/run-action.ts'
import { until, within } from './support/until.ts'
import { describeWithSignals } from './support/with-signals.ts'

const action = 'start'
const asked = { 'commit-status': 'automation/text-note' }

describe('a status that GitHub refuses', () => {
  it('is one request and one warning, which shows no secret and forges no command', async () => {
    await using sandbox = await openSandbox()
    const token = 'ghs_0123456789abcdef'
    await using api = await serve(answering(401, { message: `::error::no\n::error::${token}` }))
    const githubApi = { url: api.url, token }
    await using step = await runAction({ sandbox, githubApi, action, inputs: asked })
    expect(theWarning(step)).toMatch(/GitHub answered 401 \(.*\*\*\*\)\. Leave github-token out/)
    expect(api.seen).toHaveLength(1)
    const printed = step.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'))
    expect(printed.join('\n') + step.stderr).not.toContain(token)
  })
})

describe('a status that GitHub may set later', () => {
  it.each(['server-error', 'unavailable', 'slow-down', 'reset', 'taken'] as const)(
    'is sent again (%s)',
    async (fault) => {
      await using commit = await openCommit()
      commit.githubApi.inject({ fault, on: 'status', times: 1 })
      await using step = await commit.wait()
      expect([step.exitCode, step.annotations]).toEqual([0, []])
      expect(commit.githubApi.requests.map(({ route }) => route)).toEqual(['status', 'status'])
      expect(commit.states().at(-1)).toBe('success')
    },
  )
})

describe('a refused start', () => {
  it('gets no commit status', async () => {
    await using commit = await openCommit()
    await using step = await commit.start({ inputs: { 'api-token': 'not-the-token' } })
    expect([step.exitCode, commit.githubApi.requests]).toEqual([1, []])
  })
})

describe('a start with an unknown outcome', () => {
  it('has the commit status error', async () => {
    await using commit = await openCommit()
    commit.sandbox.faults.inject({ on: 'start', fault: 'reset-before-answer', accepted: true })
    await using step = await commit.start()
    expect([step.exitCode, commit.states()]).toEqual([1, ['error']])
    expect(commit.githubApi.statuses[0]?.description).toContain('Has an unknown outcome')
  })
})

describe('GitHub', () => {
  it.each<[string, number, string]>([
    ['a web page instead of its API', 200, '<html>Sign in</html>'],
    ['half of its JSON', 201, '{"state": "pen'],
    ['a web page', 403, '<html><h1>::error::Forbidden</h1></html>'],
  ])('with the answer %s (%d) changes no verdict', async (_, status, body) => {
    await using sandbox = await openSandbox()
    await using api = await serve(answering(status, body))
    const githubApi = { url: api.url, token: 'ghs_0123456789abcdef' }
    const inputs = { ...asked, 'execution-id': await finishRun(sandbox) }
    await using step = await runAction({ sandbox, githubApi, action: 'wait', inputs })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(annotationsOf(step, 'error')).toEqual([])
    const warnings = annotationsOf(step, 'warning').map(({ message }) => message)
    expect(warnings).toHaveLength(status === 201 ? 0 : 1)
    expect(api.seen.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/repos\//)])
  })

  it('with a redirect to another host does not send it the token', async () => {
    await using sandbox = await openSandbox()
    await using other = await serve(answering(404, {}))
    const location = `${other.url.replace('127.0.0.1', 'localhost')}/elsewhere`
    await using api = await serve(answering(307, {}, { location }))
    const githubApi = { url: api.url, token: 'ghs_0123456789abcdef' }
    await using step = await runAction({ sandbox, githubApi, action, inputs: asked })
    expect(theWarning(step)).toContain('GitHub answered 404')
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  it('behind a proxy is reached through the proxy', async () => {
    await using sandbox = await openSandbox()
    const created = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n'
    await using remote = await serveRemotely(() => `${created}content-length: 2\r\n\r\n{}`)
    const https_proxy = remote.proxy.url.replace('//', '//me:s%40cret@')
    const env = {
      ...remote.env,
      https_proxy,
      GITHUB_API_URL: 'https://service.test',
      // The bundles are in node_modules. Without this variable, Node shows no deprecations there.
      NODE_PENDING_DEPRECATION: '1',
    }
    const inputs = { ...asked, 'github-token': 'ghs_0123456789abcdef' }
    await using step = await runAction({ sandbox, action, inputs, env })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    const authorization = `Basic ${Buffer.from('me:s@cret').toString('base64')}`
    expect(remote.proxy.asked).toEqual([{ target: 'service.test:443', authorization }])
    expect(step.log).not.toMatch(/deprecat|\(node:\d+\)|--trace/i)
  })

  it('behind a proxy that refuses leads to a warning that names the proxy', async () => {
    await using sandbox = await openSandbox()
    await using proxy = await serveProxy({ status: 403 })
    const env = { https_proxy: proxy.url, GITHUB_API_URL: 'https://service.test' }
    const inputs = { ...asked, 'github-token': 'ghs_0123456789abcdef' }
    await using step = await runAction({ sandbox, action, inputs, env })
    expect(theWarning(step)).toContain('the proxy answered 403. Check that this runner')
  })
})

describeWithSignals('a wait that is cancelled', () => {
  it('sends no status', async () => {
    await using commit = await openCommit()
    const { sandbox, githubApi } = commit
    await using started = await runAction({ sandbox, action, automation: 'slow-count' })
    const inputs = { 'execution-id': started.outputs['execution-id'] ?? '?' }
    await using running = startAction(await commit.waiting({ inputs }))
    await until(() => requestsOf(sandbox, 'status').length > 0)
    running.signal('SIGINT')
    const step = await within(running.result)
    expect(step.exitCode).toBe(1)
    expect(step.outputs).toMatchObject({ finished: 'false', conclusion: 'cancelled' })
    expect(githubApi.requests).toEqual([])
  })

  it('while it fetches the result of a success sets no success', async () => {
    await using commit = await openCommit()
    const { sandbox } = commit
    sandbox.faults.inject({ on: 'link', fault: 'stall-body', bytes: 1, times: 'always' })
    await using running = startAction(await commit.waiting())
    await until(() => requestsOf(sandbox, 'link').length > 0)
    running.signal('SIGINT')
    const step = await within(running.result)
    expect(step.exitCode).toBe(1)
    expect(step.outputs).toMatchObject({ finished: 'true', conclusion: 'cancelled' })
    expect(commit.states()).not.toContain('success')
  })
})
