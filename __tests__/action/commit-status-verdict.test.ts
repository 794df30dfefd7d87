/** Tests that a verdict of a commit status is replaced only by a verdict. */
import { describe, expect, it } from '@jest/globals'
import { openGithubApi } from '../../sandbox/runner/github-api.ts'
import { context, openCommit, sha } from './support/commit.ts'
import { annotationsOf } from './support/facts.ts'
import { runAction, type Inputs } from './support/run-action.ts'
import { idOf, openWorkflowRun } from './support/workflow-run.ts'

const changedKey = { inputs: { 'api-key': 'changed' } }

describe('a wait that saw no end', () => {
  it('does not replace the verdict of another wait', async () => {
    await using commit = await openCommit()
    await using first = await commit.wait()
    await using second = await commit.wait(changedKey)
    expect([first.exitCode, second.exitCode]).toEqual([0, 1])
    expect(commit.states()).toEqual(['success'])
    expect(second.log).toContain(`Commit status ${context} of 0123456: success stays`)
  })

  it('is replaced by the verdict of another wait', async () => {
    await using commit = await openCommit()
    await using first = await commit.wait(changedKey)
    await using second = await commit.wait()
    expect([first.exitCode, second.exitCode]).toEqual([1, 0])
    expect(commit.states()).toEqual(['error', 'success'])
  })

  it('sends nothing if the run may still be running', async () => {
    await using commit = await openCommit()
    commit.sandbox.script('next', [{}])
    await using started = await runAction({ sandbox: commit.sandbox, action: 'start' })
    const executionId = started.outputs['execution-id'] ?? '?'
    await using step = await commit.wait({ inputs: { 'execution-id': executionId, timeout: '0s' } })
    expect(step.outputs).toMatchObject({ finished: 'false', conclusion: 'timed-out' })
    expect(commit.githubApi.requests).toEqual([])
  })

  it('finds the verdict among more than 100 contexts, whatever their case', async () => {
    await using commit = await openCommit()
    const verdict = { sha, context: context.toUpperCase(), state: 'failure', description: '' }
    const others = Array.from({ length: 120 }, (_, index) => ({ ...verdict, context: `${index}` }))
    commit.githubApi.statuses.push(...others, verdict)
    await using step = await commit.wait(changedKey)
    expect([step.exitCode, annotationsOf(step, 'warning')]).toEqual([1, []])
    expect(commit.githubApi.requests.map(({ route }) => route)).toEqual(['newest', 'newest'])
  })
})

describe('the pending of a start that is sent again', () => {
  it('does not replace the verdict of its own run', async () => {
    await using run = await openWorkflowRun()
    await using githubApi = await openGithubApi()
    const inputs = { 'commit-status': context }
    githubApi.inject({ fault: 'server-error', on: 'status', times: 1 })
    run.sandbox.script('next', [{}])
    await using step = await run.attempt(1, { action: 'start', githubApi, inputs })
    expect(githubApi.statuses.map(({ state }) => state)).toEqual(['pending'])
    // The same start again: meanwhile, a step beside it has set the verdict.
    const description = `Succeeded (execution ${idOf(run, 0)})`
    githubApi.statuses.push({ sha, context, state: 'success', description })
    githubApi.inject({ fault: 'reset', on: 'status', times: 1 })
    await using again = await run.attempt(2, { action: 'start', githubApi, inputs })
    expect([step.exitCode, again.exitCode]).toEqual([0, 0])
    expect(githubApi.statuses.at(-1)?.state).toBe('success')
  })

  it('replaces the verdict of an earlier run', async () => {
    await using commit = await openCommit()
    await using wait = await commit.wait()
    commit.githubApi.inject({ fault: 'reset', on: 'status', times: 1 })
    await using start = await commit.start()
    expect([wait.exitCode, start.exitCode]).toEqual([0, 0])
    expect(commit.states()).toEqual(['success', 'pending'])
  })
})

describe('invalid inputs of wait', () => {
  it.each<[string, Inputs]>([
    ['a timeout that is no duration', { timeout: 'never' }],
    ['a secret that was renamed', { 'api-token': '' }],
    ['a missing schema', { 'result-schema': 'missing.json' }],
  ])('set the commit status error: %s', async (_, inputs) => {
    await using commit = await openCommit()
    await using step = await commit.wait({ inputs })
    expect([step.exitCode, step.annotations.length]).toEqual([1, 1])
    expect(step.outputs).toMatchObject({ finished: 'false', conclusion: 'unknown' })
    expect(commit.states()).toEqual(['error'])
  })

  it('send nothing if a verdict stands, or if the input of the status is invalid too', async () => {
    await using commit = await openCommit()
    await using right = await commit.wait()
    await using wrong = await commit.wait({ inputs: { timeout: 'never' } })
    await using both = await commit.wait({
      inputs: { timeout: 'never', 'commit-sha': 'two\nlines' },
    })
    expect([right.exitCode, wrong.exitCode, both.exitCode]).toEqual([0, 1, 1])
    expect(commit.states()).toEqual(['success'])
    expect(commit.githubApi.requests.map(({ route }) => route)).toEqual(['status', 'newest'])
  })
})
