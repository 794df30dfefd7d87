/** Tests that a start in flight gets 3.5 s more at the end of a step, so that its id is not lost. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { linesIn } from './support/batch.ts'
import { theError } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until, within } from './support/until.ts'
import {
  firstLine,
  idOf,
  openWorkflowRun,
  recordsIn,
  type AttemptScenario,
  type WorkflowRun,
} from './support/workflow-run.ts'
import { describeWithSignals } from './support/with-signals.ts'

const actions: AttemptScenario[] = [
  {},
  { action: 'start' },
  { action: 'batch', inputs: { seeds: '[{}, {}]', 'max-parallel': '1' } },
]
const named = (scenarios: AttemptScenario[]) =>
  scenarios.map((scenario) => [scenario.action ?? 'run', scenario] as const)

/** The service accepts the first start at once, and takes about two seconds to send its answer. */
async function openAnswering(): Promise<WorkflowRun> {
  const run = await openWorkflowRun()
  run.sandbox.script('next', [{}])
  run.sandbox.faults.inject({ on: 'start', fault: 'drip', every: 20 })
  return run
}

const isAccepted = ({ sandbox }: WorkflowRun) => until(() => sandbox.executions.length > 0)

async function idsOf({ outputs }: StepResult): Promise<unknown> {
  const { 'results-file': results } = outputs
  if (results === undefined) return [outputs['execution-id']]
  const rows = linesIn(await readFile(results, 'utf8')) as { execution_id: string | null }[]
  return rows.flatMap(({ execution_id }) => execution_id ?? [])
}

/** Expects the id in outputs, log and record, and a second attempt that starts nothing. */
async function expectIdKept(run: WorkflowRun, first: StepResult, scenario: AttemptScenario) {
  const id = idOf(run, 0)
  expect([first.signal, run.starts, await idsOf(first)]).toEqual([null, 1, [id]])
  expect(first.log).toContain(`execution ${id}`)
  expect(recordsIn(run.cache)).toHaveLength(1)
  if (scenario.action !== 'start') run.sandbox.script(id, [{}, { finished: true }])
  await using step = await run.attempt(2, scenario)
  expect(firstLine(step)).toMatch(/still running|may still be running \(taken over\)/)
  expect([step.exitCode, step.outputs['resumed']]).toEqual([0, 'true'])
  expect((await idsOf(step)) as string[]).toContain(id)
  expect(run.starts).toBe(scenario.action === 'batch' ? 2 : 1)
}

describeWithSignals('a start in flight at SIGINT and SIGTERM', () => {
  it.each(named(actions))('is reported by %s, and taken over by a re-run', async (_, scenario) => {
    await using run = await openAnswering()
    await using running = run.begin(1, scenario)
    await isAccepted(run)
    for (const name of ['SIGINT', 'SIGTERM'] as const) running.signal(name)
    await using first = await within(running.result)
    expect(first.exitCode).toBe(1)
    // `start` takes over only a run that is still running, so it promises nothing.
    const advice = scenario.action === 'start' ? /fetch the run with/ : /re-run (of )?this job/i
    expect(theError(first).message).toMatch(advice)
    await expectIdKept(run, first, scenario)
  })
})

describe('a start in flight at the timeout', () => {
  const waiting = actions.filter(({ action }) => action !== 'start')

  it.each(named(waiting))('is reported by %s, and taken over by a re-run', async (_, scenario) => {
    await using run = await openAnswering()
    // The timeout is shorter than the 120 s limit of a start.
    const inputs = { ...scenario.inputs, timeout: '20s', 'fail-on': 'error' }
    const scenarioOfFirst = run.scenario(1, { ...scenario, inputs })
    await using first = await runPastTimeout(scenarioOfFirst, () => isAccepted(run), 20_000)
    expect([first.exitCode, first.outputs['conclusion']]).toEqual([0, 'timed-out'])
    await expectIdKept(run, first, scenario)
  })
})
