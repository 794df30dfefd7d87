import { describe, expect, it } from '@jest/globals'
import { RunStatus, setCommitStatus } from '../../../src/actions/commit-status.ts'
import type { CommitStatus, GithubAccess, StatusAnswer } from '../../../src/runner/commit-status.ts'
import { recordedStep } from './recorded-step.ts'

const sha = '0123456789abcdef0123456789abcdef01234567'
const github = { GITHUB_REPOSITORY: 'octo/repo', GITHUB_API_URL: 'https://api.github.test' }
const created: StatusAnswer = { status: 201, words: '', limited: false }

interface Given {
  inputs?: { context?: string }
  /** The missing input. */
  without?: 'sha' | 'token'
  environment?: Record<string, string | undefined>
  answer?: Partial<StatusAnswer> | Error | undefined
  cancelled?: AbortSignal
}

/** Returns the statuses sent to GitHub, and the messages for people. */
async function put({ inputs, without, environment, answer = {}, cancelled }: Given = {}) {
  const recorded = recordedStep({
    ...(cancelled && { cancelled }),
    environment: { ...github, ...environment },
    secret: 's3cr3t-token',
  })
  const sent: { status: CommitStatus; access: GithubAccess }[] = []
  const loadGithub = (_: unknown, access: GithubAccess) => {
    const post = (status: CommitStatus) => {
      sent.push({ status, access })
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ ...created, ...answer })
    }
    return Promise.resolve(post)
  }
  const given = {
    context: 'nightly',
    ...inputs,
    sha: without === 'sha' ? undefined : sha,
    token: without === 'token' ? undefined : 's3cr3t-token',
  }
  const facts = { conclusion: 'success', executionId: 'e-1' } as const
  await setCommitStatus(given, 'wait', facts, { loadGithub }, recorded.step)
  return { sent, printed: recorded.printed.join('\n'), warnings: recorded.warnings }
}

describe('a commit status', () => {
  it('is sent to the commit with the token, and reported in one line', async () => {
    const { sent, printed, warnings } = await put()

    expect(sent).toEqual([
      {
        status: expect.objectContaining({
          owner: 'octo',
          repo: 'repo',
          sha,
          context: 'nightly',
          state: 'success',
        }),
        access: expect.objectContaining({
          token: 's3cr3t-token',
          apiUrl: 'https://api.github.test',
        }),
      },
    ])
    expect([printed, warnings]).toEqual(['Commit status nightly of 0123456: success', []])
  })

  it.each([
    ['http://api.github.test', 'GITHUB_API_URL'],
    ['https://me:pass@api.github.test', 'GITHUB_API_URL'],
    ['https://me@api.github.test', 'GITHUB_API_URL'],
    ['https://:pass@api.github.test', 'GITHUB_API_URL'],
    ['no address', 'GITHUB_API_URL'],
  ])('sends no token to %s', async (GITHUB_API_URL, why) => {
    const { sent, warnings } = await put({ environment: { GITHUB_API_URL } })

    expect([sent, warnings]).toEqual([[], [expect.stringContaining(why)]])
  })

  it.each<[string, Given, string]>([
    ['commit', { without: 'sha' }, 'commit-sha is empty'],
    ['token', { without: 'token' }, 'github-token is empty'],
  ])('is not sent without a %s, and a warning says so', async (_, given, why) => {
    const { sent, warnings } = await put(given)

    expect([sent, warnings]).toEqual([[], [expect.stringContaining(why)]])
  })

  it.each<[string, Given['answer'], string]>([
    ['the words of a refusal', { status: 403, words: 'bad s3cr3t-token' }, 'bad ***'],
    ['a limit', { status: 403, limited: true, words: 's3cr3t-token' }, 'limits requests'],
    ['trouble at GitHub', { status: 502, words: 's3cr3t-token' }, '502 (***)'],
    ['a failure', new Error('no way to s3cr3t-token'), 'no way to ***'],
  ])('that is not set leads to a warning without secrets: %s', async (_, answer, words) => {
    const { printed, warnings } = await put({ answer })

    expect(warnings).toEqual([expect.stringContaining(words)])
    expect(printed + warnings.join('')).not.toMatch(/s3cr3t|<html>|Commit status nightly of/)
  })

  it('that a cancellation interrupts leads to a warning without advice about the network', async () => {
    const reason = new Error('the runner sent SIGINT')
    const { warnings } = await put({ answer: reason, cancelled: AbortSignal.abort(reason) })

    const why = 'the step was cancelled before GitHub had answered'
    expect(warnings).toEqual([
      expect.stringMatching(
        `nightly was not set: ${why}. The outcome of this step does not change.`,
      ),
    ])
  })

  it('has a context without secrets', async () => {
    const { sent, printed } = await put({ inputs: { context: 'run of s3cr3t-token' } })

    expect(sent[0]?.status.context).toBe('run of ***')
    expect(printed).not.toContain('s3cr3t')
  })
})

describe('the statuses of a step that starts and waits', () => {
  const facts = { conclusion: 'success', executionId: 'e-2' } as const

  /** Answers `pending` with `first`, and the final status with 201. */
  function open(first: Promise<Partial<StatusAnswer>>, cancelled?: AbortSignal) {
    const { step, warnings } = recordedStep({
      ...(cancelled && { cancelled }),
      environment: github,
      secret: 's3cr3t-token',
    })
    const states: string[] = []
    const post = async ({ state }: CommitStatus) => {
      states.push(state)
      return { ...created, ...(state === 'pending' ? await first : {}) }
    }
    const given = { context: 'nightly', sha, token: 's3cr3t-token' }
    const connections = { loadGithub: () => Promise.resolve(post) }
    const status = new RunStatus({ given, action: 'run', connections, step })
    return { status, states, warnings }
  }

  it('are pending, and the verdict after GitHub has answered pending', async () => {
    const first = Promise.withResolvers<Partial<StatusAnswer>>()
    const { status, states, warnings } = open(first.promise)
    status.running('e-1')
    status.running('e-2')
    const ended = status.ended(facts)
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    expect(states).toEqual(['pending'])
    first.resolve({})
    await ended
    expect([states, warnings]).toEqual([['pending', 'success'], []])
  })

  it('end with a refusal of pending, and one warning', async () => {
    const { status, states, warnings } = open(Promise.resolve({ status: 403, words: 'no' }))
    status.running('e-2')
    await status.ended(facts)
    expect([states, warnings]).toEqual([['pending'], [expect.stringContaining('403 (no)')]])
  })

  it('need no warning about pending if the verdict is set', async () => {
    const { status, states, warnings } = open(Promise.reject(new Error('reset')))
    status.running('e-2')
    await status.ended(facts)
    expect([states.at(-1), warnings]).toEqual(['success', []])
  })
})
