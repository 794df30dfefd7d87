import { describe, expect, it } from '@jest/globals'
import { setCommitStatus } from '../../../src/actions/set-commit-status.ts'
import type { CommitStatus, CommitStatuses } from '../../../src/runner/commit-status.ts'
import { HttpError } from '../../../src/service/service-errors.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { recordedStep } from './recorded-step.ts'

const sha = '0123456789abcdef0123456789abcdef01234567'
const given = { context: 'nightly', commitSha: sha, githubToken: 's3cr3t-token' }
const hangs: CommitStatuses['send'] = () => new Promise(() => undefined)
const answers = (status: number, more: { retryAfter?: number } = {}) => {
  return () => Promise.reject(new HttpError({ status, words: '', ...more }))
}

interface Given {
  inputs?: Partial<Record<keyof typeof given, string | undefined>>
  environment?: Record<string, string | undefined>
  executionId?: string
  /** What GitHub does with the request. By default, it sets the status. */
  github?: CommitStatuses['send']
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
  const sent: CommitStatus[] = []
  const statuses: CommitStatuses = {
    newest: () => Promise.resolve(undefined),
    send: (status, signal) => {
      sent.push(status)
      return github?.(status, signal) ?? Promise.resolve()
    },
  }
  const openStatuses = () => Promise.resolve(statuses)
  const commitStatus = { ...given, ...inputs }
  const facts = { conclusion: 'success', executionId } as const
  await setCommitStatus({ commitStatus, jobId: '777' }, facts, { openStatuses }, { ...step, clock })
  const took = [clock.elapsed, clock.sleeping]
  const contexts = sent.map(({ context }) => context)
  const descriptions = sent.map(({ description }) => description)
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
    ['TLS', { environment: { GITHUB_API_URL: 'http://api.test' } }, 'Fix this variable'],
    ['an address', { environment: { GITHUB_API_URL: 'no address' } }, 'Fix this variable'],
    ['a token', { inputs: { githubToken: undefined } }, 'Leave github-token out'],
    ['a commit', { inputs: { commitSha: undefined } }, 'Give the whole SHA'],
  ])('is not sent without %s, and a warning says so', async (_, input, why) => {
    const { sent, warnings } = await set(input)
    expect([sent, warnings]).toEqual([0, [expect.stringContaining(why)]])
  })

  it('has a context without secrets', async () => {
    const { contexts, printed } = await set({ inputs: { context: 'run of s3cr3t-token' } })
    expect(contexts).toEqual(['run of ***'])
    expect(printed).not.toContain('s3cr3t')
  })
})

describe('a commit status that was not set', () => {
  it.each<[string, CommitStatuses['send'], number, number]>([
    ['a refusal', answers(404), 1, 0],
    ['an asked pause that is too long', answers(429, { retryAfter: 40_000 }), 1, 0],
    ['an asked pause', answers(403, { retryAfter: 12_000 }), 3, 24_000],
    // The pauses without jitter are 1, 1, 2, 4, 4, 4, 4, 4 and 4 s.
    ['a server error', answers(503), 10, 28_000],
    // Each try takes 10 s. The third one ends with the whole time.
    ['silence', hangs, 3, 30_000],
  ])('is sent again while that can help: %s', async (_, github, tries, time) => {
    const { sent, warnings, took } = await set({ github })
    expect([sent, warnings.length, took]).toEqual([tries, 1, [time, 0]])
  })

  it('is sent for 2 s at most after a cancellation', async () => {
    const cancelled = AbortSignal.abort(new Error('the runner sent SIGINT'))
    expect(await set({ cancelled })).toMatchObject({ sent: 1, warnings: [], took: [0, 0] })
    const { warnings, took } = await set({ cancelled, github: hangs })
    expect([warnings, took]).toEqual([[expect.stringContaining('SIGINT')], [2_000, 0]])
    const failing = await set({ cancelled, github: answers(503) })
    expect(failing).toMatchObject({ sent: 2, took: [2_000, 0] })
    expect(failing.warnings).toEqual([expect.stringContaining('503')])
  })
})
