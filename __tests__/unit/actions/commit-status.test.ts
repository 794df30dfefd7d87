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
  executionId?: string
  /** What GitHub does with the request. By default, it sets the status. */
  github?: PostStatus
  cancelled?: AbortSignal
}

/** Sets a status. Returns the requests, and the messages for people. */
async function set({ inputs, environment, executionId = 'e-1', github, cancelled }: Given = {}) {
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
  const facts = { conclusion: 'success', executionId } as const
  await setCommitStatus({ commitStatus, jobId: '777' }, facts, { postStatus }, { ...step, clock })
  const took = [clock.elapsed, clock.sleeping]
  const contexts = sent.map(([{ context }]) => context)
  const descriptions = sent.map(([{ description }]) => description)
  return { sent: sent.length, contexts, descriptions, printed: printed.join('\n'), warnings, took }
}

describe('a commit status', () => {
  it('has one line of at most 140 characters, redacted before it is cut', async () => {
    const executionId = `::error::\n${'x'.repeat(98)}s3cr3t-token${'y'.repeat(99)}`
    const words = `Succeeded (execution ::error:: ${'x'.repeat(98)}***${'y'.repeat(7)}…`
    expect((await set({ executionId })).descriptions).toEqual([words])
    expect(words).toHaveLength(140)
  })

  it.each<[string, Given, string]>([
    ['TLS', { environment: { GITHUB_API_URL: 'http://api.test' } }, 'not an https address'],
    ['an address', { environment: { GITHUB_API_URL: 'no address' } }, 'not an https address'],
  ])('is not sent without %s, and a warning says so', async (_, input, why) => {
    const { sent, warnings } = await set(input)
    expect([sent, warnings]).toEqual([0, [expect.stringContaining(why)]])
  })

  it('has a context without secrets', async () => {
    const { contexts, printed } = await set({ inputs: { commitStatus: 'run of s3cr3t-token' } })
    expect(contexts).toEqual(['run of ***'])
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
