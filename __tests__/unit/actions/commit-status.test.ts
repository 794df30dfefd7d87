import { describe, expect, it } from '@jest/globals'
import { setCommitStatus } from '../../../src/actions/commit-status.ts'
import type { PostStatus } from '../../../src/runner/commit-status.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { recordedStep } from './recorded-step.ts'

const sha = '0123456789abcdef0123456789abcdef01234567'
const given = { commitStatus: 'nightly', commitSha: sha, githubToken: 's3cr3t-token' }
const hangs: PostStatus = () => new Promise(() => undefined)

interface Given {
  inputs?: Partial<Record<keyof typeof given, string | undefined>>
  environment?: Record<string, string | undefined>
  conclusion?: 'success' | 'refused' | 'not-started'
  /** What GitHub does with the request. By default, it sets the status. */
  github?: PostStatus
  cancelled?: AbortSignal
}

/** Sets a status. Returns the requests, and the messages for people. */
async function set({ inputs, environment, conclusion = 'success', github, cancelled }: Given = {}) {
  const { step, printed, warnings } = recordedStep({
    ...(cancelled && { cancelled }),
    environment: { GITHUB_REPOSITORY: 'octo/repo', ...environment },
    secret: 's3cr3t-token',
  })
  const clock = new SimulatedClock()
  const sent: Parameters<PostStatus>[] = []
  const postStatus: PostStatus = (...request) => {
    sent.push(request)
    return github?.(...request) ?? Promise.resolve()
  }
  const commitStatus = { ...given, ...inputs }
  const facts = { conclusion, executionId: 'e-1' }
  await setCommitStatus({ commitStatus, jobId: '777' }, facts, { postStatus }, { ...step, clock })
  const [[status, access] = []] = sent
  const took = [clock.elapsed, clock.sleeping]
  return { sent: sent.length, status, access, printed: printed.join('\n'), warnings, took }
}

describe('a commit status', () => {
  it('is sent to the commit with the token, and reported in one line', async () => {
    const run = { GITHUB_SERVER_URL: 'https://github.test', GITHUB_RUN_ID: '4200' }
    const { sent, status, access, printed, warnings } = await set({ environment: run })

    expect([sent, warnings]).toEqual([1, []])
    expect(status).toEqual({
      owner: 'octo',
      repo: 'repo',
      sha,
      context: 'nightly',
      state: 'success',
      description: 'Succeeded (execution e-1)',
      target_url: 'https://github.test/octo/repo/actions/runs/4200/job/777',
    })
    expect(access).toEqual({ token: 's3cr3t-token', apiUrl: 'https://api.github.com' })
    expect(printed).toBe('Commit status nightly of 0123456: success')
  })

  it.each<[string, Given]>([
    ['without the input commit-status', { inputs: { commitStatus: undefined } }],
    ['if the start was refused', { conclusion: 'refused' }],
    ['if nothing was started', { conclusion: 'not-started' }],
  ])('is not set %s', async (_, input) => {
    expect(await set(input)).toMatchObject({ sent: 0, printed: '', warnings: [] })
  })

  it.each<[string, Given, string]>([
    ['a commit', { inputs: { commitSha: undefined } }, 'commit-sha is empty'],
    ['TLS', { environment: { GITHUB_API_URL: 'http://api.test' } }, 'not an https address'],
    ['an address', { environment: { GITHUB_API_URL: 'no address' } }, 'not an https address'],
  ])('is not sent without %s, and a warning says so', async (_, input, why) => {
    const { sent, warnings } = await set(input)
    expect([sent, warnings]).toEqual([0, [expect.stringContaining(why)]])
  })

  it("that GitHub refuses is not sent again: one warning has GitHub's words and the permission", async () => {
    const github = () => Promise.reject(new Error('GitHub answered 403 (not for s3cr3t-token)'))
    const { sent, warnings, printed } = await set({ github })
    const words =
      /^The commit status nightly was not set: GitHub answered 403 \(not for \*\*\*\)\. .*"statuses: write"/
    expect([sent, printed]).toEqual([1, ''])
    expect(warnings).toEqual([expect.stringMatching(words)])
  })

  it('has a context without secrets', async () => {
    const { status, printed } = await set({ inputs: { commitStatus: 'run of s3cr3t-token' } })
    expect(status?.context).toBe('run of ***')
    expect(printed).not.toContain('s3cr3t')
  })

  it('takes 10 s at most, and leaves no timer', async () => {
    const { warnings, took } = await set({ github: hangs })
    expect([warnings, took]).toEqual([[expect.stringContaining('10 s')], [10_000, 0]])
  })

  it('is still set after a cancellation, in 2 s at most', async () => {
    const cancelled = AbortSignal.abort(new Error('the runner sent SIGINT'))
    expect(await set({ cancelled })).toMatchObject({ sent: 1, warnings: [], took: [0, 0] })
    const { warnings, took } = await set({ cancelled, github: hangs })
    expect([warnings, took]).toEqual([[expect.stringContaining('SIGINT')], [2_000, 0]])
  })
})
