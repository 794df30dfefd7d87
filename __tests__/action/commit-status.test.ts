import { describe, expect, it } from '@jest/globals'
import { openGithubApi, type GithubApi } from '../../sandbox/runner/github-api.ts'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { annotationsOf, requestsOf } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { runAction, type Scenario } from './support/run-action.ts'
import { until } from './support/until.ts'

const sha = '0123456789abcdef0123456789abcdef01234567'
const asked = { 'commit-status': 'automation/text-note' }

function statusesAt({ statuses }: GithubApi) {
  return statuses.map(({ sha, ...status }) => ({ commit: sha, ...status }))
}

/** Returns the message of the only warning of a step that passed. */
function theWarning(step: StepResult): string {
  const [warning, ...more] = annotationsOf(step, 'warning')
  expect([step.exitCode, more]).toEqual([0, []])
  return warning?.message ?? ''
}

async function waitFor(sandbox: Sandbox, githubApi: GithubApi, given: Partial<Scenario> = {}) {
  const executionId = await finishRun(sandbox, given.automation)
  const inputs = { ...asked, 'execution-id': executionId, ...given.inputs }
  return runAction({ sandbox, githubApi, ...given, action: 'wait', inputs })
}

describe('commit-status', () => {
  it('of start is pending, at the commit of the push, with a link to the job', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    await using step = await runAction({ sandbox, githubApi, action: 'start', inputs: asked })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    const id = step.outputs['execution-id'] ?? '?'
    expect(statusesAt(githubApi)).toEqual([
      {
        commit: sha,
        state: 'pending',
        context: 'automation/text-note',
        description: `Started (execution ${id})`,
        target_url: 'https://github.com/owner/repo/actions/runs/4200/job/777',
      },
    ])
    expect(githubApi.requests[0]?.headers['user-agent']).toMatch(/^run-automation\/\S+ \(start\) /)
    expect(step.log).toContain('Commit status automation/text-note of 0123456: pending')
  })

  it.each(['', 'no number'])('links to the workflow run if job-id is "%s"', async (job) => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const inputs = { ...asked, 'job-id': job }
    await using step = await runAction({ sandbox, githubApi, action: 'start', inputs })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    const target_url = 'https://github.com/owner/repo/actions/runs/4200/attempts/1'
    expect(statusesAt(githubApi)).toMatchObject([{ target_url }])
  })

  it('of wait is the verdict, which does not depend on fail-on', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const inputs = { 'fail-on': 'none' }
    await using step = await waitFor(sandbox, githubApi, { automation: 'broken-report', inputs })
    expect(step.exitCode).toBe(0)
    // The description contains nothing of the log, which says ValueError.
    const description = /^Failed \(execution [^:]*\)$/
    expect(statusesAt(githubApi)).toEqual([
      expect.objectContaining({
        state: 'failure',
        description: expect.stringMatching(description),
      }),
    ])
  })

  it('is an error if the result of a success is lost', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const inputs = { ...asked, 'execution-id': await finishRun(sandbox) }
    sandbox.faults.inject({ on: 'link', fault: 'status', status: 403, times: 'always' })
    const isAsked = () => until(() => requestsOf(sandbox, 'link').length > 0)
    const scenario = { sandbox, githubApi, action: 'wait', inputs } as const
    // Downloads end at most 10 minutes after the timeout of an hour.
    await using step = await runPastTimeout(scenario, isAsked, 71 * 60_000)
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'success'])
    expect(statusesAt(githubApi)).toMatchObject([
      { state: 'error', description: expect.stringContaining('could not be fetched') },
    ])
  })

  it('goes to the address of a GitHub Enterprise Server', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi({ base: '/api/v3' })
    await using step = await waitFor(sandbox, githubApi)
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(statusesAt(githubApi)).toHaveLength(1)
    expect(githubApi.requests[0]?.path).toMatch(/^\/api\/v3\/repos\/owner\/repo\/statuses\//)
  })
})

const head = 'b'.repeat(40)

describe('the commit by default is', () => {
  it('the head of the pull request', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const event = { name: 'pull_request', payload: { pull_request: { head: { sha: head } } } }
    await using step = await waitFor(sandbox, githubApi, { event })
    expect(step.exitCode).toBe(0)
    expect(statusesAt(githubApi)).toMatchObject([{ commit: head, state: 'success' }])
  })

  it('none on repository_dispatch: a warning says which input to set', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const event = { name: 'repository_dispatch', payload: {} }
    await using step = await waitFor(sandbox, githubApi, { event })
    expect(githubApi.requests).toEqual([])
    expect(theWarning(step)).toMatch(
      /^The commit status automation\/text-note was not set: commit-sha is empty.*repository_dispatch/,
    )
  })

  it('none on repository_dispatch, so that the input commit-sha applies', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const event = { name: 'repository_dispatch', payload: {} }
    const inputs = { 'commit-sha': head }
    await using step = await waitFor(sandbox, githubApi, { event, inputs })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(statusesAt(githubApi)).toMatchObject([{ commit: head, state: 'success' }])
  })
})
