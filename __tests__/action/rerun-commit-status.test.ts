/** Tests that a re-run of `start` sets the commit status of the run that it takes over. */
import { describe, expect, it } from '@jest/globals'
import { openGithubApi, type StandingStatus } from '../../sandbox/runner/github-api.ts'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import { requestsOf } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until } from './support/until.ts'
import { idOf, openWorkflowRun, type AttemptScenario } from './support/workflow-run.ts'

const context = 'automation/text-note'

/** Runs a first attempt that starts a run. Later checks of the run are answered with `course`. */
async function openStarted(...course: ScriptedStatus[]) {
  await using cleanup = new AsyncDisposableStack()
  const run = cleanup.use(await openWorkflowRun())
  const githubApi = cleanup.use(await openGithubApi())
  const inputs = { 'commit-status': context }
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

/** Sets the verdict of the execution, as the action `wait` does. */
function setVerdict(
  { id, statuses }: Awaited<ReturnType<typeof openStarted>>,
  state: 'success' | 'failure',
): StandingStatus {
  const sha = '0123456789abcdef0123456789abcdef01234567'
  const verdict = { sha, context, state, description: `A verdict (execution ${id})` }
  statuses().push(verdict)
  return verdict
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

  it('but not over a verdict of the execution, if no check is answered', async () => {
    await using earlier = await openStarted()
    const verdict = setVerdict(earlier, 'success')
    const { sandbox } = earlier.run
    sandbox.faults.inject({ on: 'status', fault: 'status', status: 503, times: 'always' })
    const isChecked = () => until(() => requestsOf(sandbox, 'status').length > 0)
    await using step = await runPastTimeout(earlier.run.scenario(2, earlier.start), isChecked)
    expect([step.exitCode, step.outputs['execution-id']]).toEqual([0, earlier.id])
    expect(earlier.statuses()).toEqual([verdict])
  })

  it('but not over the verdict of a wait that found the result of a success invalid', async () => {
    await using earlier = await openStarted({ finished: true })
    const verdict = setVerdict(earlier, 'failure')
    await using step = await earlier.run.attempt(2, earlier.reuse)
    expect([step.exitCode, step.outputs['execution-id']]).toEqual([0, earlier.id])
    expect(earlier.statuses()).toEqual([verdict])
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
