/** Trials of workflows that use GitHub's API, `gh`, or actions of other authors. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { git, repository } from './harness/checkout.ts'
import type { Setup } from './harness/setup.ts'
import { example, type Trial } from './harness/trial.ts'

const startingRun = '4711'
const secondPush = '4712'
/** Returns the newest call of a command, or an empty call if there is none. */
export async function lastCall({ github }: Setup, command: string) {
  const found = (await github.calls()).findLast((call) => call.command === command)
  return found ?? { command, inputs: {}, content: '' }
}

const headOf = ({ checkout }: Setup) => git(checkout.folder, 'rev-parse', 'HEAD').trim()

/**
 * Compares the statuses of a context with the expected ones, in order. All must be on the checkout's
 * commit. A text is a state, and the index of its execution in the service follows.
 */
function checkStatuses(setup: Setup, context: string, expected: readonly string[]): void {
  const { github, sandbox } = setup
  const found = github.api.statuses
    .filter((status) => status.context === context)
    .map(({ sha, state, description }) => {
      const index = sandbox.executions.findIndex(({ id }) => description.includes(id))
      return { sha, status: index < 0 ? state : `${state} ${index}` }
    })
  const sha = headOf(setup)
  assert.deepEqual(
    found,
    expected.map((status) => ({ sha, status })),
  )
}

/** Waits for the webhooks that the service has sent. */
async function checkDeliveries({ sandbox: { deliveries } }: Setup, count: number): Promise<void> {
  // The receiver answers the service after it has sent the dispatch.
  for (let tries = 0; deliveries.length < count && tries < 600; tries++) await delay(50)
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    Array.from({ length: count }, () => 202),
  )
}

const context = 'automation/report'
const afterTwoWebhooks = ['pending 0', 'success 0', 'success 0']
const afterRerun = [...afterTwoWebhooks, 'pending 1', 'success 1']
/** A trial of the workflow that a webhook starts. `statuses`: the expected ones after it. */
const finish = (statuses: string[]) =>
  example('webhook-finish.yml', 'repository_dispatch', 1, {
    given: (setup) => ({ payload: dispatchIn(setup, startingRun) }),
    check: (setup) => checkStatuses(setup, context, statuses),
  })
const noEarlierId = { skipped: ['Replace the execution id of an earlier attempt'] }

/**
 * In the order of the field: a push, its webhook before the id is stored, the webhook again, a re-run of
 * the start, its webhook, a second push of the same commit whose webhook gets lost, and the schedule.
 */
const webhook: Trial[] = [
  example('webhook-start.yml', 'push', 0, {
    runId: startingRun,
    ...noEarlierId,
    check: async (setup) => {
      await checkDeliveries(setup, 1)
      checkStatuses(setup, context, ['pending 0'])
    },
  }),
  finish(['pending 0', 'success 0']),
  finish(afterTwoWebhooks),
  example('webhook-start.yml', 'push', 0, {
    runId: startingRun,
    attempt: 2,
    check: async (setup) => {
      await checkDeliveries(setup, 2)
      assert.equal(setup.github.api.statuses.at(-1)?.state, 'pending')
    },
  }),
  finish(afterRerun),
  example('webhook-start.yml', 'push', 0, {
    runId: secondPush,
    ...noEarlierId,
    check: (setup) => checkStatuses(setup, context, [...afterRerun, 'pending 2']),
  }),
  example('check-pending.yml', 'schedule', 1, {
    given: (setup) => setup.github.answer(pendingAnswers(headOf(setup))),
    check: (setup) => checkStatuses(setup, context, [...afterRerun, 'pending 2', 'success 2']),
  }),
  // Nothing is pending any more.
  example('check-pending.yml', 'schedule', 0, {
    skippedJobs: ['check'],
    given: (setup) => setup.github.answer(pendingAnswers(headOf(setup))),
    check: (setup) => checkStatuses(setup, context, [...afterRerun, 'pending 2', 'success 2']),
  }),
]

const dispatchSchema = z.object({
  event_type: z.string(),
  client_payload: z.looseObject({ run_id: z.string() }),
})

/** Returns the event that GitHub would send for the receiver's newest dispatch about a workflow run. */
function dispatchIn({ github }: Setup, runId: string): unknown {
  const { event_type, client_payload } = github.api.requests
    .filter(({ route }) => route === 'dispatch')
    .map(({ body }) => dispatchSchema.parse(JSON.parse(body)))
    .findLast(({ client_payload: { run_id } }) => run_id === runId) ?? {
    event_type: 'missing',
    client_payload: {},
  }
  return { action: event_type, branch: 'main', client_payload }
}

/**
 * Returns the answers for two runs of one commit, one of a fork, one with an expired artifact, and one
 * whose artifact is gone.
 */
function pendingAnswers(commit: string): Record<string, unknown> {
  const artifact = (id: string, head_sha: string, of = 1, expired = false) => ({
    expired,
    workflow_run: { id: Number(id), head_sha, repository_id: 1, head_repository_id: of },
  })
  const other = 'a'.repeat(40)
  return {
    [`api repos/${repository}/actions/artifacts?name=pending-execution&per_page=100`]: {
      artifacts: [
        artifact(startingRun, commit),
        artifact(startingRun, commit),
        artifact(secondPush, commit),
        artifact('4713', other, 2),
        artifact('4714', other, 1, true),
        artifact('4715', other),
      ],
    },
  }
}

/** If the run is still running, a check starts the next one. The run has finished at the second check. */
const checks: Trial[] = [
  example('check-again.yml', 'push', 0, {
    script: [{}],
    check: async (setup) => {
      const { check, commit, 'execution-id': id } = (await nextCheck(setup)).inputs
      const known = setup.sandbox.executions.map((execution) => execution.id)
      assert.deepEqual([check, commit, [id]], ['2', headOf(setup), known])
      checkStatuses(setup, 'automation/count', ['pending 0'])
    },
  }),
  example('check-again.yml', 'workflow_dispatch', 1, {
    skippedJobs: ['start'],
    skipped: ['Check again later'],
    given: (setup) => {
      const [started] = setup.sandbox.executions
      setup.sandbox.script(started?.id ?? '', [{ finished: true }])
      return nextCheck(setup)
    },
    check: (setup) => checkStatuses(setup, 'automation/count', ['pending 0', 'success 0']),
  }),
]

/** Nobody has started this execution. The chain of checks ends. */
const unknownExecution: Trial[] = [
  example('check-again.yml', 'workflow_dispatch', 0, {
    given: (setup) => ({
      inputs: { 'execution-id': crypto.randomUUID(), commit: headOf(setup), check: '1' },
    }),
    skippedJobs: ['start'],
    failing: ['Check the run'],
    skipped: ['Check again later'],
    check: (setup) => checkStatuses(setup, 'automation/count', ['error']),
  }),
]

function nextCheck(setup: Setup) {
  return lastCall(setup, 'workflow run check-again.yml')
}

const pullRequests: Trial[] = [
  example('required-check.yml', 'pull_request', 0, {
    skippedJobs: ['report'],
    payload: pullRequestFrom('someone/fork'),
  }),
  example('required-check.yml', 'pull_request', 1, {
    payload: pullRequestFrom(repository),
  }),
  example('comment-summary.yml', 'pull_request', 1, {
    payload: pullRequestFrom(repository),
    check: (setup) => checkComment(setup, ''),
  }),
  example('comment-summary-on-fork.yml', 'workflow_run', 1, {
    given: async (setup) => {
      const found = { number: 8, state: 'OPEN', headRefOid: headOf(setup) }
      await setup.github.answer({ 'pr view someone:patch-1': found })
      return { payload: { action: 'completed', workflow_run: forkRun(headOf(setup)) } }
    },
    check: (setup) => checkComment(setup, '8'),
  }),
  example('comment-summary-on-fork.yml', 'workflow_run', 0, {
    skippedJobs: ['report'],
    given: (setup) => {
      const workflow_run = { ...forkRun(headOf(setup)), head_repository: null }
      return { payload: { action: 'completed', workflow_run } }
    },
  }),
]

/** Returns the event of a pull request. If its branch's name is pasted into a seed, the seed breaks. */
function pullRequestFrom(full_name: string) {
  const head = { ref: 'fix-"quotes"', repo: { full_name } }
  return { number: 7, pull_request: { number: 7, head } }
}

function forkRun(head_sha: string) {
  const head_repository = { full_name: 'someone/fork', owner: { login: 'someone' } }
  const outcome = { event: 'pull_request', conclusion: 'success', name: 'Tests' }
  return { ...outcome, head_sha, head_branch: 'patch-1', head_repository }
}

async function checkComment(setup: Setup, number: string): Promise<void> {
  const { inputs, content } = await lastCall(setup, 'uses')
  assert.deepEqual([inputs['header'], inputs['number']], ['word-report', number])
  assert.ok(content.includes('word-report succeeded'), content)
}

/** Workflows that copy the result elsewhere, or make a seed from GitHub's data. */
const results: Trial[] = [
  example('report-in-browser.yml', 'workflow_dispatch', 1, {
    check: async (setup) => {
      assert.equal((await lastCall(setup, 'uses')).inputs['archive'], 'false')
    },
  }),
  example('matrix.yml', 'push', 3, {
    check: async (setup) => {
      const regions = ['north', 'south', 'west'].map((region) => ({ region }))
      assert.deepEqual(JSON.parse((await lastCall(setup, 'uses')).content), regions)
    },
  }),
  example('post-to-chat.yml', 'schedule', 1, {
    check: ({ github: { chat } }) => {
      assert.match(chat.texts.join('then'), /^Report: success \(<[^`]*\n```[^`]*```$/)
    },
  }),
  example('tracking-issue.yml', 'schedule', 1, {
    given: ({ github }) => github.answer({ 'issue list': [] }),
    failing: ['Run the report'],
    skipped: ['Close the issue'],
    check: async ({ github }) => {
      const commands = (await github.calls()).map(({ command }) => command)
      assert.deepEqual(commands, ['issue list', 'label create broken-schedule', 'issue create'])
    },
  }),
  example('seed-from-changes.yml', 'push', 1, {
    // The event of a branch's first push.
    payload: { before: '0'.repeat(40) },
    check: ({ sandbox: { executions }, checkout }) => {
      const files = git(checkout.folder, 'ls-files', 'docs').split('\n').filter(Boolean)
      assert.deepEqual(JSON.parse(executions[0]?.seedText ?? 'null'), { files })
    },
  }),
]

export const githubChains: Trial[][] = [
  webhook,
  checks,
  unknownExecution,
  ...[...pullRequests, ...results].map((trial) => [trial]),
]
