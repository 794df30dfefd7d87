import { describe, expect, it } from '@jest/globals'
import {
  describeNotSet,
  describeStatus,
  type StatusFacts,
} from '../../../src/messages/describe-commit-status.ts'
import { HttpError, NetworkError } from '../../../src/service/service-errors.ts'

const executionId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

describe('a commit status', () => {
  it.each<[StatusFacts['conclusion'], string, string]>([
    [undefined, 'pending', 'Started'],
    ['success', 'success', 'Succeeded'],
    ['error', 'failure', 'Failed'],
    ['container-error', 'failure', 'Died'],
    ['stopped', 'failure', 'Was stopped'],
    ['invalid-result', 'failure', 'Returned an invalid result'],
    ['unknown', 'error', 'Has an unknown outcome'],
  ])('has a state and words for %s', (conclusion, state, words) => {
    const description = `${words} (execution ${executionId})`
    expect(describeStatus({ conclusion, executionId })).toEqual({ state, description })
    expect(description.length).toBeLessThanOrEqual(140)
    expect(describeStatus({ conclusion })).toEqual({ state, description: words })
  })

  it.each(['refused', 'not-started', 'timed-out', 'cancelled'] as const)(
    'is none for %s',
    (conclusion) => {
      expect(describeStatus({ conclusion }).state).toBe('none')
    },
  )

  it('is an error if the result of a success was lost', () => {
    expect(describeStatus({ executionId, conclusion: 'success', isResultLost: true })).toEqual({
      state: 'error',
      description: `Succeeded, but its result could not be fetched (execution ${executionId})`,
    })
  })
})

describe('why a status was not set', () => {
  const full = 'Validation Failed: This SHA and context has reached the maximum number of statuses.'
  const answered = (status: number, words = '', more = {}) =>
    new HttpError({ status, words, ...more })

  it.each<[string, Error, string]>([
    ['silence', new Error('no answer within 10 s'), 'no answer within 10 s. The next step'],
    ['no connection', new NetworkError('no such host', { mayHaveArrived: true }), 'can reach'],
    ['503', answered(503, '', { isWebPage: true }), '503 with a web page. GitHub has a problem'],
    ['429', answered(429), 'GitHub answered 429. Give github-token a token with a rate limit'],
    ['403 and words', answered(403, 'API rate limit exceeded'), 'a rate limit of its own'],
    ['403 and a pause', answered(403, 'Too fast', { retryAfter: 7 }), 'a rate limit of its own'],
    ['403 and a page', answered(403, '', { isWebPage: true }), 'a firewall answers for GitHub'],
    ['401', answered(401, 'Bad credentials'), '401 (Bad credentials). Leave github-token out'],
    ['403', answered(403), 'statuses: write'],
    ['404', answered(404), 'statuses: write'],
    ['422', answered(422), 'Check commit-sha'],
    ['a full context', answered(422, full), 'Give another commit-status'],
    ['another answer', answered(302), 'GITHUB_API_URL'],
  ])('has words and advice: %s', (_, failure, words) => {
    expect(describeNotSet(failure)).toContain(words)
  })
})
