/** A commit status in a step that the runner ends. */
import { describe, expect, it } from '@jest/globals'
import { openGithubApi, type GithubApi } from '../../sandbox/runner/github-api.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { requestsOf, theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { startAction } from './support/run-action.ts'
import { until, within } from './support/until.ts'

const asked = { 'commit-status': 'automation/text-note' }

function statesAt({ requests }: GithubApi): unknown[] {
  return requests.map(({ body }) => (JSON.parse(body) as { state: string }).state)
}

// Windows has no signals: there the runner ends the process outright.
const describeWithSignals = process.platform === 'win32' ? describe.skip : describe

describeWithSignals('a step that is cancelled', () => {
  it('while it fetches the files of a success shows that success on the commit', async () => {
    await using sandbox = await openSandbox()
    await using githubApi = await openGithubApi()
    const inputs = { ...asked, 'execution-id': await finishRun(sandbox) }
    sandbox.faults.inject({ on: 'link', fault: 'stall-body', bytes: 1, times: 'always' })
    await using running = startAction({ sandbox, githubApi, action: 'wait', inputs })
    await until(() => requestsOf(sandbox, 'link').length > 0)
    running.signal('SIGINT')
    const step = await within(running.result)
    const { conclusion, finished } = step.outputs
    expect([step.exitCode, conclusion, finished]).toEqual([1, 'cancelled', 'true'])
    expect(theError(step).message).toContain('cancelled')
    expect(statesAt(githubApi)).toEqual(['success'])
  })
})
