import { describe, expect, it } from '@jest/globals'
import { openGithubApi, type GithubApi } from '../../sandbox/runner/github-api.ts'
import { checkStatuses } from '../../scripts/test-workflows/evidence.ts'

const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const context = 'automation/report'
const pending = { state: 'pending', context, description: 'Running' }
const success = { state: 'success', context, description: 'Succeeded' }

async function post(api: GithubApi, body: unknown, commit = sha): Promise<void> {
  await fetch(`${api.url}/repos/owner/repo/statuses/${commit}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}` },
    body: JSON.stringify(body),
  })
}

const check = ({ requests }: GithubApi, states: string[]) =>
  checkStatuses(requests, { context, sha, states })

describe('the statuses of a commit', () => {
  it('are as expected, in their order', async () => {
    await using api = await openGithubApi()
    for (const body of [pending, { ...pending, context: 'other' }, success]) await post(api, body)
    expect(check(api, ['pending', 'success'])).toEqual({
      passed: ['commit status automation/report: pending ("Running"), then success ("Succeeded")'],
      problems: [],
    })
  })

  it('are a problem where there are none', async () => {
    await using api = await openGithubApi()
    expect(check(api, ['pending']).problems).toEqual([
      'commit status automation/report: none, not pending',
    ])
  })

  it.each([
    ['stands on another commit', success, 'a'.repeat(40), 'success on another commit, not success'],
    ['is another', pending, sha, 'pending, not success'],
  ])('are a problem where one %s', async (_, body, commit, words) => {
    await using api = await openGithubApi()
    await post(api, body, commit)
    const [problem = ''] = check(api, ['success']).problems
    expect(problem.replace('commit status automation/report: ', '')).toEqual(words)
  })
})
