import { expect, it } from '@jest/globals'
import { annotationsOf, requestsOf, theError } from './support/facts.ts'
import { openFullPipe } from './support/full-pipe.ts'
import { runWithClock } from './support/past-timeout.ts'
import { until, within } from './support/until.ts'
import {
  type AttemptScenario,
  cutOff,
  firstLine,
  openWorkflowRun,
  record,
  recordsIn,
  type WorkflowRun,
} from './support/workflow-run.ts'
import { describeWithSignals, itWithSignals } from './support/with-signals.ts'

const endless = { automation: 'slow-count', seed: { seconds: 60 } }

async function cancelDuringCheck(run: WorkflowRun, scenario: AttemptScenario) {
  run.sandbox.requests.length = 0
  run.sandbox.faults.inject({ on: 'status', fault: 'stall-headers', times: 'always' })
  await using running = run.begin(2, scenario)
  await until(() => requestsOf(run.sandbox, 'status').length > 0)
  running.signal('SIGINT')
  return await within(running.result)
}

describeWithSignals('a step that is cancelled while it waits for an answer', () => {
  it('of the cache: nothing is started', async () => {
    await using run = await openWorkflowRun()
    run.cache.inject({ on: 'look-up', fault: 'stall' })
    await using running = run.begin(2)
    await until(() => run.cache.requests.length > 0)
    running.signal('SIGINT')
    const step = await within(running.result)
    expect(firstLine(step)).toBe(
      'This step was cancelled while it looked for the runs of an earlier attempt of this job. It starts nothing.',
    )
    expect(annotationsOf(step, 'warning')).toEqual([])
    expect(theError(step).title).toBe('text-note was not started')
    expect(step.outputs).toMatchObject({ resumed: 'false', conclusion: 'not-started' })
    expect([run.starts, recordsIn(run.cache)]).toEqual([0, []])
  })

  it('of the service: nothing is started, and the earlier id is reported', async () => {
    await using run = await openWorkflowRun()
    await using first = await cutOff(run, 1, endless)
    const id = first.outputs['execution-id'] ?? ''
    const step = await cancelDuringCheck(run, endless)
    expect(firstLine(step)).toContain('was being checked when this step was cancelled')
    expect(step.outputs).toMatchObject({ 'execution-id': id, conclusion: 'cancelled' })
    expect(theError(step).message).toContain(`execution-id ${id}`)
    expect([run.starts, recordsIn(run.cache)]).toEqual([0, [record(1, id)]])
  })

  it('of the service, in start: no commit status is sent, not even without a commit', async () => {
    await using run = await openWorkflowRun()
    const start: AttemptScenario = { ...endless, action: 'start' }
    await using first = await run.attempt(1, start)
    const id = first.outputs['execution-id'] ?? ''
    const step = await cancelDuringCheck(run, {
      ...start,
      inputs: { 'commit-status': 'nightly', 'commit-sha': '' },
    })
    expect(step.outputs).toMatchObject({ 'execution-id': id, resumed: 'true' })
    expect(annotationsOf(step, 'warning')).toEqual([])
    expect(theError(step).message).toMatch(
      `execution-id ${id}. A re-run of this job outputs the id of this run if it is still running`,
    )
  })
})

itWithSignals('a step that is cancelled during a download advises a re-run', async () => {
  await using run = await openWorkflowRun()
  run.sandbox.faults.inject({ on: 'link', fault: 'stall-body', times: 'always' })
  await using running = run.begin(1)
  await until(() => requestsOf(run.sandbox, 'link').length === 2)
  running.signal('SIGINT')
  const step = await within(running.result)
  expect(theError(step).message).toContain('re-run this job: it takes over this run')
  expect(recordsIn(run.cache)).toEqual([record(1, step.outputs['execution-id'] ?? '')])
})

describeWithSignals('a step that is cancelled while its job summary is written', () => {
  it.each<['run' | 'batch', AttemptScenario]>([
    ['run', {}],
    ['batch', { action: 'batch', inputs: { seeds: '[{}, {}]' } }],
  ])('fails, and the re-run publishes the same runs: %s', async (_, scenario) => {
    await using run = await openWorkflowRun()
    await using summary = await openFullPipe()
    const env = { GITHUB_STEP_SUMMARY: summary.file }
    await using running = run.begin(1, { ...scenario, env })
    await within(running.waitForLine(/✓/))
    running.signal('SIGINT')
    summary.empty()
    const first = await within(running.result)
    const starts = run.starts
    await using again = await run.attempt(2, scenario)

    expect([first.exitCode, first.outputs['conclusion']]).toEqual([1, 'success'])
    expect(theError(first).title).toMatch(/^text-note: this step was cancelled/)
    expect(theError(first).message).toMatch(/re-run (of )?this job/)
    expect(again.outputs).toMatchObject({ conclusion: 'success', resumed: 'true' })
    expect(run.starts).toBe(starts)
  })
})

describeWithSignals('a step that is cancelled during its last save', () => {
  it.each<['run' | 'batch', AttemptScenario]>([
    ['run', {}],
    ['batch', { action: 'batch', inputs: { seeds: '[{}]' } }],
  ])('fails, and the re-run publishes the same run: %s', async (_, scenario) => {
    await using run = await openWorkflowRun()
    run.sandbox.script('next', [{}, {}, { finished: true }])
    await using first = await cutOff(run, 1, scenario)
    const { promise: isCancelled, resolve: release } = Promise.withResolvers<undefined>()
    run.cache.inject({ on: 'create', fault: 'pause', until: () => isCancelled, times: 1 })
    const creates = () => run.cache.requests.filter(({ call }) => call === 'create').length
    const before = creates()
    const given = run.scenario(2, { ...scenario, env: { RUNNER_DEBUG: '1' } })
    await using second = await runWithClock(given, async ({ running, putForward }) => {
      await until(() => creates() > before)
      running.signal('SIGINT')
      await running.waitForLine(/received SIGINT/)
      release(undefined)
      await within(running.waitForLine(/Saved for a re-run/))
      // The step saves once more, after a pause in which its clock is slow.
      await putForward(4_000)
    })
    await using third = await run.attempt(3, scenario)

    expect(first.outputs['conclusion']).toBe('timed-out')
    expect([second.exitCode, second.outputs['conclusion']]).toEqual([1, 'success'])
    expect(theError(second).message).toMatch(/re-run (of )?this job/)
    expect([third.exitCode, third.outputs['resumed'], run.starts]).toEqual([0, 'true', 1])
  })
})
