/** Runs the bundled actions against a sandbox, as GitHub's runner runs them. */
import { compileCache } from '../../../sandbox/compile-cache.ts'
import {
  runStep,
  startStep,
  type ArtifactService,
  type CacheService,
  type RunningStep,
  type StepOptions,
  type StepResult,
} from '../../../sandbox/runner/runner.ts'
import type { Sandbox } from '../../../sandbox/service/sandbox.ts'

export type Inputs = Record<string, string>

export interface Scenario {
  sandbox: Pick<Sandbox, 'baseUrl' | 'apiToken' | 'apiKey'>
  /** The folder of the action. Default: the root action. */
  action?: 'start' | 'wait' | 'batch' | 'create-project'
  automation?: string
  /** Sent as JSON, unless it is a string. */
  seed?: unknown
  /** Other inputs of the step. By default, the step checks often and uploads nothing. */
  inputs?: Inputs
  env?: Record<string, string>
  artifactService?: ArtifactService | 'none'
  /** Default: a runner without a cache. */
  cacheService?: CacheService
  /** RUNNER_TEMP, which all steps of a job share. */
  temp?: string
  /** The stand-in for GitHub's REST API. */
  githubApi?: StepOptions['githubApi']
  event?: StepOptions['event']
  workspace?: string
}

/** Runs the step to its end. @throws Error if the step needs code that its bundle leaves out. */
export async function runAction(scenario: Scenario): Promise<StepResult> {
  const step = await runStep(stepOptions(scenario))
  if (`${step.stdout}${step.stderr}`.includes('left out of this bundle')) {
    throw new Error(`the bundle lacks something:\n${step.stdout}${step.stderr}`)
  }
  return step
}

/** Starts the step, for scenarios that do something while the step is running. */
export function startAction(scenario: Scenario): RunningStep {
  return startStep(stepOptions(scenario))
}

function stepOptions({ action, inputs, ...scenario }: Scenario) {
  const { env, artifactService, cacheService, githubApi, event, temp, workspace } = scenario
  return {
    action: action ?? '.',
    inputs: { ...connectionOf(scenario), ...inputsOf(scenario, action), ...inputs },
    env: { ...compileCache, ...env },
    ...(artifactService && { artifactService }),
    ...(cacheService && { cacheService }),
    ...(temp !== undefined && { temp }),
    ...(githubApi && { githubApi }),
    ...(event && { event }),
    ...(workspace !== undefined && { workspace }),
  }
}

/** Returns the inputs that connect a step to this sandbox. */
export function connectionOf({
  sandbox: { baseUrl, apiToken, apiKey },
}: Pick<Scenario, 'sandbox'>): Inputs {
  return { 'base-url': baseUrl, 'api-token': apiToken, 'api-key': apiKey }
}

const quickly = { 'poll-interval': '100ms', timeout: '10m', 'upload-artifact': 'false' }

function inputsOf(scenario: Scenario, action: Scenario['action']): Inputs {
  switch (action) {
    case undefined:
      return { ...startOf(scenario), ...quickly }
    case 'start':
      return startOf(scenario)
    case 'wait':
      return quickly
    case 'batch':
      return { ...startOf(scenario), ...quickly }
    case 'create-project':
      return {}
  }
}

function startOf({ automation = 'text-note', seed }: Scenario): Inputs {
  const json = typeof seed === 'string' ? seed : JSON.stringify(seed)
  return { project: 'demo', automation, ...(seed !== undefined && { seed: json }) }
}
