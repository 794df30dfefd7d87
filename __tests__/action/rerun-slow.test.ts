/** Tests of waits of 10 s or more. The clock of the step is put forward when the wait has begun. */
import { describe, expect, it } from '@jest/globals'
import { annotationsOf, requestsOf } from './support/facts.ts'
import { runPastTimeout, runWithClock } from './support/past-timeout.ts'
import { until } from './support/until.ts'
import {
  idOf,
  openCutOff,
  openWorkflowRun,
  record,
  recordsIn,
  type WorkflowRun,
} from './support/workflow-run.ts'

const endless = { automation: 'slow-count', seed: { seconds: 60 } }
const asked =
  ({ sandbox }: WorkflowRun) =>
  () =>
    until(() => requestsOf(sandbox, 'status').length > 0)

describe('a cache that hangs', () => {
  it('delays a start by 30 s, which count in no timeout, and then the step starts a run', async () => {
    await using run = await openWorkflowRun()
    run.cache.inject({ on: 'look-up', fault: 'stall', times: 1 })
    const looksUp = () => until(() => run.cache.requests.length > 0)
    const scenario = run.scenario(2, { inputs: { timeout: '20s' } })
    await using step = await runPastTimeout(scenario, looksUp, 30_000)
    expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^The record of an earlier attempt of this job could not be read: the cache did not finish within 3\d(\.\d)? s\. This step ignores/,
      ),
    ])
    expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'false', 1])
  })
})

describe('a deploy of the service while the job runs again starts no second run:', () => {
  const page = { status: 404, body: '<!doctype html><title>Not Found</title>' }
  const notFound = { status: 404, body: '{"error":"Execution not found."}' }
  const down = { status: 502 }

  it.each([
    ['a web page with 404', [page, page, page, page]],
    ['404, then 502 for 25 s, then 404', [notFound, down, down, notFound]],
  ])('%s', async (_, answers) => {
    await using earlier = await openCutOff({ finished: true })
    const { run, id } = earlier
    const checks = () => requestsOf(run.sandbox, 'status').length
    const before = checks()
    for (const answer of answers) {
      run.sandbox.faults.inject({ on: 'status', fault: 'status', ...answer })
    }
    await using step = await runWithClock(run.scenario(2), async ({ putForward }) => {
      for (const [index, span] of [5_000, 25_000, 40_000, 200_000].entries()) {
        await until(() => checks() > before + index)
        await putForward(span)
      }
    })
    expect(step.log).toContain(`Execution ${id} of attempt 1 may still be running`)
    expect(step.outputs).toMatchObject({ 'execution-id': id, resumed: 'true' })
    expect([step.exitCode, step.outputs['conclusion'], run.starts]).toEqual([0, 'success', 1])
  })
})

describe('a run', () => {
  it('is saved after 20 s, and again at its end', async () => {
    await using run = await openWorkflowRun()
    const scenario = run.scenario(1, { ...endless, inputs: { 'poll-interval': '100ms' } })
    const stopOnceSaved = async () => {
      await until(() => recordsIn(run.cache).length === 1)
      run.sandbox.stop(idOf(run, 0))
    }
    await using step = await runPastTimeout(scenario, asked(run), 20_000, stopOnceSaved)
    const id = idOf(run, 0)
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'stopped'])
    expect(recordsIn(run.cache)).toEqual([record(1, id), record(1, id, 'reported-stopped')])
  })
})
