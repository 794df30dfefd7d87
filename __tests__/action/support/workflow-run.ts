/** A workflow run whose job is re-run. Each attempt is a step in its own process. */
import { expect } from '@jest/globals'
import type { RunningStep, StepResult } from '../../../sandbox/runner/runner.ts'
import { type CacheService, openCacheService } from '../../../sandbox/runner/cache-service.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/service/sandbox.ts'
import type { ScriptedStatus } from '../../../sandbox/service/status-record.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { requestsOf } from './facts.ts'
import { patiently, runPastTimeout } from './past-timeout.ts'
import { runAction, startAction, type Scenario } from './run-action.ts'
import { until } from './until.ts'

export type AttemptScenario = Omit<Scenario, 'sandbox'>

export interface WorkflowRun extends AsyncDisposable {
  sandbox: Sandbox
  cache: CacheService
  /** Runs the step in this attempt to its end. */
  attempt(attempt: number, scenario?: AttemptScenario): Promise<StepResult>
  /** Starts the step, for scenarios that do something while the step is running. */
  begin(attempt: number, scenario?: AttemptScenario): RunningStep
  /** Returns the step of this attempt, for other ways to run the step. */
  scenario(attempt: number, scenario?: AttemptScenario): Scenario
  /** The number of starts that have reached the service. */
  readonly starts: number
}

export async function openWorkflowRun(options?: SandboxOptions): Promise<WorkflowRun> {
  await using cleanup = new AsyncDisposableStack()
  const sandbox = cleanup.use(await openSandbox(options))
  const cache = cleanup.use(await openCacheService())
  const { path: home } = cleanup.use(await makeTemporaryFolder())
  const scenarioOf = (attempt: number, { env, ...scenario }: AttemptScenario = {}): Scenario => ({
    sandbox,
    cacheService: cache,
    ...scenario,
    env: {
      ...patiently,
      HOME: home,
      USERPROFILE: home,
      GITHUB_RUN_ATTEMPT: String(attempt),
      ...env,
    },
  })
  const kept = cleanup.move()
  return {
    sandbox,
    cache,
    scenario: scenarioOf,
    attempt: (attempt, scenario) => runAction(scenarioOf(attempt, scenario)),
    begin: (attempt, scenario) => startAction(scenarioOf(attempt, scenario)),
    get starts() {
      return requestsOf(sandbox, 'start').length
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Runs the step until it times out after its first check, while its run is still running. */
export function cutOff(
  run: WorkflowRun,
  attempt: number,
  scenario?: AttemptScenario,
): Promise<StepResult> {
  const checks = () => requestsOf(run.sandbox, 'status').length
  const before = checks()
  return runPastTimeout(run.scenario(attempt, scenario), () => until(() => checks() > before))
}

export function firstLine({ log }: StepResult): string {
  return log.trimStart().split('\n', 1)[0] ?? ''
}

/** Returns the content of each record in the cache, oldest first, without address, date and signature. */
export function recordsIn({ entries }: CacheService): string[] {
  const address = /^run-automation-\d+-[0-9a-f]{16}-[0-9a-f]{8}-[0-9a-f]{32}-v1-(?!batch)[0-9a-z]+-/
  return entries.map(({ key }) => key.replace(address, '').replace(/-[0-9a-f]{32}$/, ''))
}

/** Returns the content of a record of one execution. */
export function record(attempt: number, executionId: string, end = 'started'): string {
  return `${attempt}-${end}-${Buffer.from(executionId).toString('hex')}`
}

/** Returns the id of an execution. `index`: its place in the order of starts, from 0. */
export function idOf({ sandbox }: WorkflowRun, index: number): string {
  return sandbox.executions[index]?.id ?? '?'
}

/** A workflow run whose first attempt started the execution `id` and timed out. */
export interface CutOffRun extends AsyncDisposable {
  run: WorkflowRun
  id: string
}

/** Opens a cut-off run. `course`: the answers to the later checks of its execution. */
export async function openCutOff(...course: ScriptedStatus[]): Promise<CutOffRun> {
  const run = await openWorkflowRun()
  // The run goes on, however many checks the first attempt makes.
  run.sandbox.script('next', [{}])
  await using first = await cutOff(run, 1)
  const id = idOf(run, 0)
  run.sandbox.script(id, course)
  const facts = [first.exitCode, first.outputs['conclusion'], ...recordsIn(run.cache)]
  expect(facts).toEqual([1, 'timed-out', record(1, id)])
  return { run, id, [Symbol.asyncDispose]: () => run[Symbol.asyncDispose]() }
}
