/** What re-runs and batches say about checks, stops and retries. */
import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { makeFlaky } from './support/automations.ts'
import { requestsOf, theError } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until } from './support/until.ts'
import {
  type AttemptScenario,
  cutOff,
  idOf,
  openCutOff,
  openWorkflowRun,
  type WorkflowRun,
} from './support/workflow-run.ts'

const batch: AttemptScenario = { action: 'batch', inputs: { seeds: '[{}]' } }

/** Runs the second attempt, whose checks all fail until its timeout of an hour has passed. */
function askInVain(run: WorkflowRun, scenario?: AttemptScenario): Promise<StepResult> {
  run.sandbox.faults.inject({ on: 'status', fault: 'status', status: 500, times: 'always' })
  const checks = () => requestsOf(run.sandbox, 'status').length
  const before = checks()
  return runPastTimeout(run.scenario(2, scenario), () => until(() => checks() > before))
}

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

it('a batch says why a retry that it announced was not made', async () => {
  await using flaky = await makeFlaky({ deaths: 9 })
  await using run = await openWorkflowRun({ automations: flaky.folder })
  run.sandbox.faults.inject({ on: 'start', fault: 'status', status: 400, skip: 1 })
  const inputs = { ...batch.inputs, retries: '1' }
  await using step = await run.attempt(1, { ...batch, automation: 'flaky', inputs })
  expect(step.log).toContain('Execution 2 (of at most 2) starts in')
  expect(step.log).toContain('was not started')
})
