/** What takes 10 s or more: the clock of the step's own process is put ahead once it has got there. */
import { describe, expect, it } from '@jest/globals'
import { annotationsOf, requestsOf } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until } from './support/until.ts'
import {
  cutOff,
  firstLine,
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

describe('the state of the earlier execution', () => {
  it('can’t be learned in 30 s: the step follows it, and starts nothing', async () => {
    await using earlier = await openCutOff({ finished: true })
    const { run, id } = earlier
    run.sandbox.requests.length = 0
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status: 500, times: 2 })
    await using step = await runPastTimeout(run.scenario(2), asked(run), 30_500)
    expect(firstLine(step)).toMatch(
      /^Execution \S+, which attempt 1 started, may still be running, as far as is known \(.*500.*\): waiting for it; nothing new is started$/,
    )
    expect(step.outputs).toMatchObject({ 'execution-id': id, resumed: 'true' })
    expect([step.exitCode, step.outputs['conclusion'], run.starts]).toEqual([0, 'success', 0])
  })

  it('and start hands its id over, with a warning', async () => {
    await using run = await openWorkflowRun()
    const action = 'start' as const
    await using first = await run.attempt(1, { action })
    const id = idOf(run, 0)
    expect(first.outputs['execution-id']).toBe(id)
    run.sandbox.faults.inject({ on: 'status', fault: 'reset-before-answer', times: 'always' })
    await using step = await runPastTimeout(run.scenario(2, { action }), asked(run), 31_000)
    expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Execution \S+, .* could not be learned in 30 s \(.*ECONNRESET\)\. Its id is handed over/,
      ),
    ])
    expect(step.outputs).toEqual({ 'execution-id': id, resumed: 'true' })
    expect([step.exitCode, run.starts]).toEqual([0, 1])
  })

  it.each([undefined, 'start'] as const)('is 404 for 30 s: a new run (%s)', async (action) => {
    await using run = await openWorkflowRun()
    const scenario = { ...(action && { action }), automation: 'slow-count', seed: { seconds: 0.1 } }
    run.sandbox.script('next', [{}])
    await using first = await run.attempt(1, { ...scenario, ...(!action && cutOff) })
    const id = first.outputs['execution-id'] ?? '?'
    run.sandbox.requests.length = 0
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status: 404, times: 'always' })
    const again = run.scenario(2, { ...scenario, env: { CLOCK_PATIENCE: '1' } })
    // The second check is sent once the first answer is known.
    const askedTwice = () => until(() => requestsOf(run.sandbox, 'status').length > 1)
    await using step = await runPastTimeout(again, askedTwice, 31_000, async () => {
      await until(() => run.starts > 0)
      run.sandbox.faults.clear()
    })
    expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
      `For 30 s the service did not know execution ${id}, which attempt 1 of this job started. Starting a new run.`,
    ])
    expect(step.outputs).toMatchObject({ 'execution-id': idOf(run, 1), resumed: 'false' })
    expect([step.exitCode, run.starts]).toEqual([0, 1])
  })
})

describe('a cache that hangs', () => {
  it('holds a start for 10 s, and is then done without', async () => {
    await using run = await openWorkflowRun()
    run.cache.inject({ on: 'look-up', fault: 'stall', times: 1 })
    const looksUp = () => until(() => run.cache.requests.length > 0)
    await using step = await runPastTimeout(run.scenario(2), looksUp, 10_000)
    expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^What an earlier attempt of this job started could not be read: the cache was not done after 1\d(\.\d)? s\. Starting/,
      ),
    ])
    expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'false', 1])
  })
})

describe('a run', () => {
  it('is saved once it is 20 s old, and then its end', async () => {
    await using run = await openWorkflowRun()
    const scenario = run.scenario(1, { ...endless, inputs: { 'poll-interval': '100ms' } })
    const stopOnceSaved = async () => {
      await until(() => recordsIn(run.cache).length === 1)
      run.sandbox.stop(idOf(run, 0))
    }
    await using step = await runPastTimeout(scenario, asked(run), 20_000, stopOnceSaved)
    const id = idOf(run, 0)
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'stopped'])
    expect(recordsIn(run.cache)).toEqual([record(1, id), record(1, id, 'stopped')])
  })
})
