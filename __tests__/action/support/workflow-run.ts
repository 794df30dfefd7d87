/** A run of a workflow whose job is run again: each attempt is a step in a process of its own. */
import { expect } from '@jest/globals'
import type { RunningStep, StepResult } from '../../../sandbox/runner/runner.ts'
import type { CacheProtocol } from '../../../sandbox/runner/cache-calls.ts'
import { type CacheService, openCacheService } from '../../../sandbox/runner/cache-service.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/service/sandbox.ts'
import type { ScriptedStatus } from '../../../sandbox/service/status-record.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { requestsOf } from './facts.ts'
import { patiently } from './past-timeout.ts'
import { runAction, startAction, type Scenario } from './run-action.ts'

export type AttemptScenario = Omit<Scenario, 'sandbox'>

export interface WorkflowRun extends AsyncDisposable {
  sandbox: Sandbox
  cache: CacheService
  /** Runs the step in this attempt to its end. */
  attempt(attempt: number, scenario?: AttemptScenario): Promise<StepResult>
  /** Starts it, for scenarios that meddle with it. */
  begin(attempt: number, scenario?: AttemptScenario): RunningStep
  /** What a step of this attempt is given, for other ways to run it. */
  scenario(attempt: number, scenario?: AttemptScenario): Scenario
  /** How many starts have reached the service. */
  readonly starts: number
}

export async function openWorkflowRun(
  protocol?: CacheProtocol,
  options?: SandboxOptions,
): Promise<WorkflowRun> {
  await using cleanup = new AsyncDisposableStack()
  const sandbox = cleanup.use(await openSandbox(options))
  const cache = cleanup.use(await openCacheService(protocol))
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

/** Looks once and goes: the run goes on, and the step has told no end. */
export const cutOff = { inputs: { timeout: '0s' } }

/** The first line that people read. */
export function firstLine({ log }: StepResult): string {
  return log.trimStart().split('\n', 1)[0] ?? ''
}

/** What the records in the cache say, oldest first, between their address and their signature. */
export function recordsIn({ entries }: CacheService): string[] {
  const address = /^run-automation-\d+-[0-9a-f]{16}-[0-9a-f]{8}-[0-9a-f]{32}-v1-/
  return entries.map(({ key }) => key.replace(address, '').replace(/-[0-9a-f]{32}$/, ''))
}

/** A record of an execution. */
export function record(attempt: number, executionId: string, end = 'started'): string {
  return `${attempt}-${end}-${Buffer.from(executionId).toString('hex')}`
}

/** The id of the execution that was started first, second … (from 0). */
export function idOf({ sandbox }: WorkflowRun, index: number): string {
  return sandbox.executions[index]?.id ?? '?'
}

/** A workflow run whose first attempt has started `id` and was cut off after one look. */
export interface CutOffRun extends AsyncDisposable {
  run: WorkflowRun
  id: string
}

/** `course`: what the execution's checks tell afterwards. */
export async function openCutOff(...course: ScriptedStatus[]): Promise<CutOffRun> {
  const run = await openWorkflowRun()
  run.sandbox.script('next', [{}, ...course])
  await using first = await run.attempt(1, cutOff)
  const id = idOf(run, 0)
  const told = [first.exitCode, first.outputs['conclusion'], ...recordsIn(run.cache)]
  expect(told).toEqual([1, 'timed-out', record(1, id)])
  return { run, id, [Symbol.asyncDispose]: () => run[Symbol.asyncDispose]() }
}
