/** What re-runs and batches say about checks, stops and retries. */
import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { makeFlaky } from './support/automations.ts'
import { requestsOf, theError } from './support/facts.ts'
import { runPastTimeout, runWithClock } from './support/past-timeout.ts'
import { until } from './support/until.ts'
import {
  type AttemptScenario,
  cutOff,
  firstLine,
  idOf,
  openCutOff,
  openWorkflowRun,
  type WorkflowRun,
} from './support/workflow-run.ts'
import { itWithSignals } from './support/with-signals.ts'

const batch: AttemptScenario = { action: 'batch', inputs: { seeds: '[{}]' } }

/** Runs the second attempt, whose checks all fail until its timeout of an hour has passed. */
function askInVain(run: WorkflowRun, scenario?: AttemptScenario): Promise<StepResult> {
  run.sandbox.faults.inject({ on: 'status', fault: 'status', status: 500, times: 'always' })
  const checks = () => requestsOf(run.sandbox, 'status').length
  const before = checks()
  return runPastTimeout(run.scenario(2, scenario), () => until(() => checks() > before))
}

it.each([401, 500])(
  'the first line of a re-run names the earlier run, also if its check fails (%d)',
  async (status) => {
    await using earlier = await openCutOff({ finished: true })
    const { run, id } = earlier
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status })
    await using step = await run.attempt(2, { env: { CLOCK_PATIENCE: '1' } })
    expect(firstLine(step)).toMatch(new RegExp(`^Execution ${id} of attempt 1 `))
  },
)

describe('a re-run whose time ends while it asks about the earlier run', () => {
  it('counts the time of these checks', async () => {
    await using earlier = await openCutOff({})
    await using step = await askInVain(earlier.run)
    expect(theError(step).message).toContain('This step watched it for 1 h')
  })

  it('says in a batch how to fetch the run', async () => {
    await using run = await openWorkflowRun()
    run.sandbox.script('next', [{}])
    await using first = await cutOff(run, 1, batch)
    expect(first.exitCode).toBe(1)
    await using step = await askInVain(run, batch)
    expect(step.outputs['conclusion']).toBe('timed-out')
    expect(theError(step).message).toMatch(new RegExp(`wait@\\S+ and execution-id ${idOf(run, 0)}`))
  })
})

itWithSignals('a batch that is cancelled after its last run does not talk of starts', async () => {
  await using run = await openWorkflowRun()
  const { promise, resolve: release } = Promise.withResolvers<undefined>()
  run.cache.inject({ on: 'create', fault: 'pause', until: () => promise, times: 1 })
  const reuse = { ...batch, inputs: { ...batch.inputs, 'on-rerun': 'reuse' } }
  await using step = await runWithClock(run.scenario(1, reuse), async ({ running }) => {
    await running.waitForLine(/✓/)
    running.signal('SIGINT')
    await running.waitForLine(/received SIGINT/)
    release(undefined)
  })
  expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'success'])
  expect(step.log).not.toContain('No more runs are started')
})

it('a batch says why a retry that it announced was not made', async () => {
  await using flaky = await makeFlaky({ deaths: 9 })
  await using run = await openWorkflowRun({ automations: flaky.folder })
  run.sandbox.faults.inject({ on: 'start', fault: 'status', status: 400, skip: 1 })
  const inputs = { ...batch.inputs, retries: '1' }
  await using step = await run.attempt(1, { ...batch, automation: 'flaky', inputs })
  expect(step.log).toContain('Execution 2 (of at most 2) starts in')
  expect(step.log).toContain('was not started')
})
