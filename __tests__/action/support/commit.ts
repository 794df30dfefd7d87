/** A commit that gets statuses from steps which start a run, or wait for a run that has finished. */
import { expect } from '@jest/globals'
import { type GithubApi, openGithubApi } from '../../../sandbox/runner/github-api.ts'
import type { StepResult } from '../../../sandbox/runner/runner.ts'
import { openSandbox, type Sandbox } from '../../../sandbox/service/sandbox.ts'
import { annotationsOf } from './facts.ts'
import { finishRun } from './finished-run.ts'
import { runAction, type Scenario } from './run-action.ts'

export const context = 'automation/text-note'
export const sha = '0123456789abcdef0123456789abcdef01234567'

type Given = Partial<Omit<Scenario, 'action'>>

export interface Commit extends AsyncDisposable {
  sandbox: Sandbox
  githubApi: GithubApi
  start(given?: Given): Promise<StepResult>
  /** By default, waits for a run that has finished. */
  wait(given?: Given): Promise<StepResult>
  /** Returns the step that `wait` runs. */
  waiting(given?: Given): Promise<Scenario>
  /** Returns the states that were set, in order. */
  states(): string[]
}

/** `base`: the path of GitHub's API, as on GitHub Enterprise Server. */
export async function openCommit({ base = '' } = {}): Promise<Commit> {
  await using cleanup = new AsyncDisposableStack()
  const sandbox = cleanup.use(await openSandbox())
  const githubApi = cleanup.use(await openGithubApi({ base }))
  const kept = cleanup.move()
  const asked = { 'commit-status': context }
  const waiting = async (given: Given = {}): Promise<Scenario> => {
    const executionId =
      given.inputs?.['execution-id'] ?? (await finishRun(sandbox, given.automation))
    const inputs = { ...asked, ...given.inputs, 'execution-id': executionId }
    return { sandbox, githubApi, ...given, action: 'wait', inputs }
  }
  return {
    sandbox,
    githubApi,
    start: (given = {}) => {
      const inputs = { ...asked, ...given.inputs }
      return runAction({ sandbox, githubApi, ...given, action: 'start', inputs })
    },
    wait: async (given) => runAction(await waiting(given)),
    waiting,
    states: () => githubApi.statuses.map(({ state }) => state),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Returns the message of the only annotation of a step that passed, which is a warning. */
export function theWarning(step: StepResult): string {
  expect([step.exitCode, step.annotations.map(({ level }) => level)]).toEqual([0, ['warning']])
  return annotationsOf(step, 'warning')[0]?.message ?? ''
}
