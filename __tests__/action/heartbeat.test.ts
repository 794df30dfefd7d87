/** No phase of a step is silent for more than a minute. */
import { expect, it } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import type { FaultTarget } from '../../sandbox/service/faults.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { requestsOf } from './support/facts.ts'
import { runWithClock } from './support/past-timeout.ts'
import type { Scenario } from './support/run-action.ts'
import { until } from './support/until.ts'
import { openWorkflowRun } from './support/workflow-run.ts'
import { itWithSignals } from './support/with-signals.ts'

const minute = 60_000
const project = { name: 'demo-2', region: 'eu-1', 'docker-version': '1.0' }
/** With this patience, only the test ends the pauses of a step. */
const slowly = { CLOCK_PATIENCE: '60' }

it.each<[string, FaultTarget, Partial<Scenario>, RegExp]>([
  ['a start', 'start', {}, /^still starting after 1 min/],
  ['a start of the action start', 'start', { action: 'start' }, /^still starting after 1 min/],
  ['a start of a batch', 'start', { action: 'batch', inputs: { seeds: '[{}]' } }, /^After 1 min/],
  [
    'a new project',
    'create-project',
    { action: 'create-project', inputs: project },
    /^still creating the project after 1 min/,
  ],
])('%s that is slow: the log says that the step waits', async (_, on, scenario, line) => {
  await using sandbox = await openSandbox()
  sandbox.faults.inject({ on, fault: 'stall-headers' })
  await using step = await runWithClock({ sandbox, env: slowly, ...scenario }, async (clocked) => {
    await until(() => sandbox.requests.length > 0)
    await clocked.putForward(minute)
    await clocked.running.waitForLine(line)
    await clocked.putForward(minute * 60)
  })

  expect(step.exitCode).toBe(1)
})

it('a download that is slow: the log says that the step processes files', async () => {
  await using sandbox = await openSandbox()
  sandbox.faults.inject({ on: 'link-result', fault: 'stall-body' })
  await using step = await runWithClock({ sandbox, env: slowly }, async (clocked) => {
    await until(() => requestsOf(sandbox, 'link').length > 1)
    await clocked.putForward(20_000)
    await clocked.running.waitForLine(/^still processing the files of the run after 20 s/)
    await clocked.putForward(minute)
  })

  expect(step.exitCode).toBe(0)
})

itWithSignals.each<[string, Partial<Scenario>]>([
  ['a run', {}],
  ['a batch', { action: 'batch', inputs: { seeds: '[{}]' } }],
])('an upload of %s that is slow: the log says that the step publishes', async (_, scenario) => {
  await using sandbox = await openSandbox()
  await using artifactService = await openArtifactService()
  artifactService.inject({ on: 'blob', fault: 'stall' })
  const inputs = { ...scenario.inputs, 'upload-artifact': 'true' }
  const given = { sandbox, artifactService, env: slowly, ...scenario, inputs }
  await using step = await runWithClock(given, async ({ running, putForward }) => {
    await until(() => artifactService.requests.some(({ call }) => call === 'blob'))
    await putForward(20_000)
    await running.waitForLine(/^still publishing after/)
    running.signal('SIGINT')
  })

  expect(step.exitCode).toBe(1)
})

it('a save that is slow: the log says that the step saves the record', async () => {
  await using run = await openWorkflowRun()
  run.cache.inject({ on: 'create', fault: 'stall' })
  const scenario = run.scenario(1, { action: 'start', env: slowly })
  await using step = await runWithClock(scenario, async ({ running, putForward }) => {
    await until(() => run.cache.requests.length > 0)
    await putForward(20_000)
    await running.waitForLine(/^still saving the record after/)
    await putForward(minute)
  })

  expect(step.exitCode).toBe(0)
})
