import { describe, expect, it } from '@jest/globals'
import { openCommit, sha, theWarning, type Commit } from './support/commit.ts'
import { requestsOf } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until } from './support/until.ts'

const statusesAt = ({ githubApi }: Commit) =>
  githubApi.statuses.map(({ sha, ...status }) => ({ commit: sha, ...status }))

describe('commit-status', () => {
  it('of start is pending, at the commit of the push, with a link to the job', async () => {
    await using commit = await openCommit()
    await using step = await commit.start()
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    const id = step.outputs['execution-id'] ?? '?'
    expect(statusesAt(commit)).toEqual([
      {
        commit: sha,
        state: 'pending',
        context: 'automation/text-note',
        description: `Started (execution ${id})`,
        target_url: 'https://github.com/owner/repo/actions/runs/4200/job/777',
      },
    ])
    expect(commit.githubApi.requests[0]?.headers['user-agent']).toMatch(
      /^run-automation\/\S+ \(start\) /,
    )
    expect(step.log).toContain('Commit status automation/text-note of 0123456: pending')
  })

  it.each(['', 'no number'])('links to the workflow run if job-id is "%s"', async (job) => {
    await using commit = await openCommit()
    await using step = await commit.start({ inputs: { 'job-id': job } })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    const target_url = 'https://github.com/owner/repo/actions/runs/4200/attempts/1'
    expect(statusesAt(commit)).toMatchObject([{ target_url }])
  })

  it('of wait is the verdict, which does not depend on fail-on', async () => {
    await using commit = await openCommit()
    const inputs = { 'fail-on': 'none' }
    await using step = await commit.wait({ automation: 'broken-report', inputs })
    expect(step.exitCode).toBe(0)
    // The description contains nothing of the log, which says ValueError.
    const description = /^Failed \(execution [^:]*\)$/
    expect(statusesAt(commit)).toMatchObject([
      { state: 'failure', description: expect.stringMatching(description) },
    ])
  })

  it('is an error if the result of a success is lost', async () => {
    await using commit = await openCommit()
    const { sandbox } = commit
    sandbox.faults.inject({ on: 'link', fault: 'status', status: 403, times: 'always' })
    const isAsked = () => until(() => requestsOf(sandbox, 'link').length > 0)
    const scenario = await commit.waiting()
    // Downloads end at most 10 minutes after the timeout of an hour.
    await using step = await runPastTimeout(scenario, isAsked, 71 * 60_000)
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'success'])
    expect(statusesAt(commit)).toMatchObject([
      { state: 'error', description: expect.stringContaining('could not be fetched') },
    ])
  })

  it('goes to the address of a GitHub Enterprise Server', async () => {
    await using commit = await openCommit({ base: '/api/v3' })
    await using step = await commit.wait()
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(statusesAt(commit)).toHaveLength(1)
    expect(commit.githubApi.requests[0]?.path).toMatch(/^\/api\/v3\/repos\/owner\/repo\/statuses\//)
  })
})

const head = 'b'.repeat(40)

describe('the commit by default is', () => {
  it('the head of the pull request', async () => {
    await using commit = await openCommit()
    const event = { name: 'pull_request', payload: { pull_request: { head: { sha: head } } } }
    await using step = await commit.wait({ event })
    expect(step.exitCode).toBe(0)
    expect(statusesAt(commit)).toMatchObject([{ commit: head, state: 'success' }])
  })

  it('none on repository_dispatch: a warning says which input to set', async () => {
    await using commit = await openCommit()
    const event = { name: 'repository_dispatch', payload: {} }
    await using step = await commit.wait({ event })
    expect(commit.githubApi.requests).toEqual([])
    expect(theWarning(step)).toMatch(
      /^The commit status automation\/text-note was not set: commit-sha is empty.*repository_dispatch/,
    )
  })

  it('none on repository_dispatch, so that the input commit-sha applies', async () => {
    await using commit = await openCommit()
    const event = { name: 'repository_dispatch', payload: {} }
    const inputs = { 'commit-sha': head }
    await using step = await commit.wait({ event, inputs })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(statusesAt(commit)).toMatchObject([{ commit: head, state: 'success' }])
  })
})
