/** Tests that a re-run of `start` sets the commit status of the run that it takes over. */
import { describe, expect, it } from '@jest/globals'
import { openGithubApi } from '../../sandbox/runner/github-api.ts'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import { idOf, openWorkflowRun, type AttemptScenario } from './support/workflow-run.ts'

/** Runs a first attempt that starts a run. Later checks of the run are answered with `course`. */
async function openStarted(...course: ScriptedStatus[]) {
  await using cleanup = new AsyncDisposableStack()
  const run = cleanup.use(await openWorkflowRun())
  const githubApi = cleanup.use(await openGithubApi())
  const inputs = { 'commit-status': 'automation/text-note' }
  const start: AttemptScenario = { action: 'start', githubApi, inputs }
  run.sandbox.script('next', course)
  await using first = await run.attempt(1, start)
  expect(first.exitCode).toBe(0)
  githubApi.statuses.length = 0
  run.sandbox.requests.length = 0
  const kept = cleanup.move()
  return {
    run,
    start,
    id: idOf(run, 0),
    reuse: { ...start, inputs: { ...inputs, 'on-rerun': 'reuse' } },
    statuses: () => githubApi.statuses,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

describe('a re-run of start sets the commit status of the earlier execution', () => {
  it('to pending if the execution is still running', async () => {
    await using earlier = await openStarted({})
    await using step = await earlier.run.attempt(2, earlier.start)
    expect([step.exitCode, earlier.run.starts]).toEqual([0, 0])
    expect(earlier.statuses()).toMatchObject([
      { state: 'pending', description: `Started (execution ${earlier.id})` },
    ])
  })

  it('to success if the execution succeeded and is reused', async () => {
    await using earlier = await openStarted({ finished: true })
    await using step = await earlier.run.attempt(2, earlier.reuse)
    expect([step.exitCode, earlier.run.starts]).toEqual([0, 0])
    expect(earlier.statuses()).toMatchObject([
      { state: 'success', description: `Succeeded (execution ${earlier.id})` },
    ])
  })

  it.each([401, 403])('to error if the service refuses the check (%d)', async (status) => {
    await using earlier = await openStarted({})
    earlier.run.sandbox.faults.inject({ on: 'status', fault: 'status', status })
    await using step = await earlier.run.attempt(2, earlier.start)
    expect([step.exitCode, earlier.run.starts]).toEqual([1, 0])
    const description = `Has an unknown outcome (execution ${earlier.id})`
    expect(earlier.statuses()).toMatchObject([{ state: 'error', description }])
  })
})
