/** Workflows for pull requests, from the repository itself and from forks. */
import { repository } from './checkout.ts'
import { commented, headOf, checkThat } from './evidence.ts'
import type { Setup } from './setup.ts'
import type { Chain } from './trial.ts'
import type { CheckResult } from './check-jobs.ts'

export const pullRequestChains: Chain[] = [
  {
    trials: [
      {
        file: 'examples/pull-request.yml',
        event: 'pull_request',
        artifacts: 0,
        skippedJobs: ['report'],
        given: () => ({ payload: pullRequestFrom('someone/fork') }),
        check: (setup) => started(setup, 0),
      },
      {
        file: 'examples/pull-request.yml',
        event: 'pull_request',
        artifacts: 1,
        given: () => ({ payload: pullRequestFrom(repository) }),
        check: (setup) => started(setup, 1),
      },
    ],
  },
  {
    trials: [
      {
        file: 'examples/comment-summary.yml',
        event: 'pull_request',
        artifacts: 1,
        given: () => ({ payload: pullRequestFrom(repository) }),
        check: (setup) => commented(setup, ''),
      },
    ],
  },
  {
    trials: [
      {
        file: 'examples/comment-summary-on-fork.yml',
        event: 'workflow_run',
        artifacts: 1,
        given: async (setup) => {
          const found = { number: 8, state: 'OPEN', headRefOid: headOf(setup) }
          await setup.github.answer({ 'pr view someone:patch-1': found })
          return { payload: { action: 'completed', workflow_run: forkRun(headOf(setup)) } }
        },
        check: (setup) => commented(setup, '8'),
      },
    ],
  },
]

/** Its branch has a name that would break a seed into which it is pasted. */
function pullRequestFrom(full_name: string) {
  const head = { ref: 'fix-"quotes"', repo: { full_name } }
  return { number: 7, pull_request: { number: 7, head } }
}

function started({ sandbox }: Setup, expected: number): CheckResult {
  const { length } = sandbox.executions
  return checkThat(length === expected, `${length} executions were started`)
}

function forkRun(head_sha: string) {
  const head_repository = { full_name: 'someone/fork', owner: { login: 'someone' } }
  const outcome = { event: 'pull_request', conclusion: 'success', name: 'Tests' }
  return { ...outcome, head_sha, head_branch: 'patch-1', head_repository }
}
