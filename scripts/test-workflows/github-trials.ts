/** Trials of workflows that use GitHub's API, `gh`, or actions of other authors. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { git, repository } from './checkout.ts'
import { example, type Setup, type Trial } from './setup.ts'

const startingRun = '4711'
const headOf = ({ checkout }: Setup) => git(checkout.folder, 'rev-parse', 'HEAD').trim()

const statusSchema = z.object({ state: z.string(), context: z.string() })

/**
 * Compares the statuses of a context with the expected ones, in order. All must be on the
 * checkout's commit.
 */
function checkStatuses(setup: Setup, context: string, states: readonly string[]): void {
  const statuses = setup.github.api.requests
    .filter(({ route }) => route === 'status')
    .map(({ sha, body }) => ({ sha, ...statusSchema.parse(JSON.parse(body)) }))
  const sha = headOf(setup)
  const expected = states.map((state) => ({ sha, state, context }))
  const found = statuses.filter((status) => status.context === context)
  assert.deepEqual(found, expected)
}

/** A webhook or a schedule finishes a run that a push started. */
const webhook: Trial[] = [
  example('webhook-start.yml', 'push', 0, {
    runId: startingRun,
    check: async (setup) => {
      // The receiver answers the service after it has sent the dispatch.
      const { deliveries } = setup.sandbox
      for (let tries = 0; deliveries.length === 0 && tries < 600; tries++) await delay(50)
      assert.equal(deliveries.map(({ status }) => status).join(), '202')
      checkStatuses(setup, 'automation/report', ['pending'])
    },
  }),
  example('webhook-finish.yml', 'repository_dispatch', 1, {
    given: (setup) => ({ payload: dispatchIn(setup) }),
    check: (setup) => checkStatuses(setup, 'automation/report', ['pending', 'success']),
  }),
  example('check-pending.yml', 'schedule', 1, {
    given: (setup) => setup.github.answer(pendingAnswers(headOf(setup))),
    check: (setup) => checkStatuses(setup, 'automation/report', ['pending', 'success', 'success']),
  }),
]

const dispatchSchema = z.object({ event_type: z.string(), client_payload: z.unknown() })

/** Returns the event that GitHub would send for the receiver's dispatch. */
function dispatchIn({ github }: Setup): unknown {
  const request = github.api.requests.find(({ route }) => route === 'dispatch')
  const { event_type, client_payload } = dispatchSchema.parse(JSON.parse(request?.body ?? ''))
  return { action: event_type, branch: 'main', client_payload }
}

/**
 * Returns the answers for five runs: pending, finished, of a fork, with an expired artifact, and of a
 * commit that GitHub does not know.
 */
function pendingAnswers(commit: string): Record<string, unknown> {
  const place = `api repos/${repository}`
  const other = (letter: string) => letter.repeat(40)
  const artifact = (id: number, head_sha: string, of = 1, expired = false) => ({
    expired,
    workflow_run: { id, head_sha, repository_id: 1, head_repository_id: of },
  })
  const statuses = (state: string) => ({ statuses: [{ context: 'automation/report', state }] })
  return {
    [`${place}/actions/artifacts?name=pending-execution&per_page=100`]: {
      artifacts: [
        artifact(Number(startingRun), commit),
        artifact(4712, other('a')),
        artifact(4713, other('b'), 2),
        artifact(4714, other('c'), 1, true),
        artifact(4715, other('d')),
      ],
    },
    [`${place}/commits/${commit}/status?per_page=100`]: statuses('pending'),
    [`${place}/commits/${other('a')}/status?per_page=100`]: statuses('success'),
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
      checkStatuses(setup, 'automation/count', ['pending', 'pending'])
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
    check: (setup) => checkStatuses(setup, 'automation/count', ['pending', 'pending', 'success']),
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

function nextCheck({ github }: Setup) {
  return github.lastCall('workflow run check-again.yml')
}

const pullRequests: Trial[] = [
  example('required-check.yml', 'pull_request', 0, {
    skippedJobs: ['report'],
    given: () => ({ payload: pullRequestFrom('someone/fork') }),
  }),
  example('required-check.yml', 'pull_request', 1, {
    given: () => ({ payload: pullRequestFrom(repository) }),
  }),
  example('comment-summary.yml', 'pull_request', 1, {
    given: () => ({ payload: pullRequestFrom(repository) }),
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

async function checkComment({ github }: Setup, number: string): Promise<void> {
  const { inputs, content } = await github.lastCall('uses')
  assert.deepEqual([inputs['header'], inputs['number']], ['word-report', number])
  assert.ok(content.includes('word-report succeeded'), content)
}

/** Workflows that copy the result elsewhere, or make a seed from GitHub's data. */
const results: Trial[] = [
  example('report-in-browser.yml', 'workflow_dispatch', 1, {
    check: async ({ github }) => {
      assert.equal((await github.lastCall('uses')).inputs['archive'], 'false')
    },
  }),
  example('matrix.yml', 'push', 3, {
    check: async ({ github }) => {
      const regions = ['north', 'south', 'west'].map((region) => ({ region }))
      assert.deepEqual(JSON.parse((await github.lastCall('uses')).content), regions)
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
      assert.equal((await github.lastCall('issue create')).command, 'issue create')
    },
  }),
  example('seed-from-changes.yml', 'push', 1, {
    // The event of a branch's first push.
    given: () => ({ payload: { before: '0'.repeat(40) } }),
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
