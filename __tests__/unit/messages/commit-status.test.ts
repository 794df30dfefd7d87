import { describe, expect, it } from '@jest/globals'
import type { Conclusion } from '../../../src/execution/conclusion.ts'
import type { Ending } from '../../../src/execution/ending.ts'
import {
  describeStatus,
  type StatusFacts,
  explainRefusal,
} from '../../../src/messages/commit-status.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { httpError } from '../../support/failures.ts'

const executionId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const failure = httpError(401)
const status = undefined

function describeFacts(facts: StatusFacts, secret = '') {
  const secrets = new Secrets(() => undefined)
  secrets.add(secret)
  return describeStatus(facts, secrets.show)
}

describe('a commit status', () => {
  it.each<[StatusFacts['conclusion'], string, string]>([
    ['running', 'pending', 'Running'],
    ['not-learned', 'pending', 'Started; the service does not answer properly now'],
    ['success', 'success', 'Succeeded'],
    ['error', 'failure', 'Failed'],
    ['container-error', 'failure', 'Its container died'],
    ['stopped', 'failure', 'Stopped from the dashboard'],
    ['unknown', 'error', 'How it ends is not known: it may or may not have started'],
    ['timed-out', 'pending', 'Still running when the wait was over; wait again for its verdict'],
    ['cancelled', 'pending', 'The wait was cancelled, the run goes on; wait again for its verdict'],
  ])('has a state and words for %s', (conclusion, state, words) => {
    const description = `${words} (execution ${executionId})`
    expect(describeFacts({ conclusion, executionId })).toEqual({ state, description })
    expect(description.length).toBeLessThanOrEqual(140)
    expect(describeFacts({ conclusion })).toEqual({ state, description: words })
  })

  it.each<[Ending, Conclusion, string]>([
    [{ kind: 'refused', status, failure }, 'unknown', 'the service refused the credentials'],
    [{ kind: 'rejected', status, failure }, 'unknown', 'the service refused every check'],
    [{ kind: 'not-found', status, failure }, 'unknown', 'the service knows no such execution'],
    [{ kind: 'timed-out', status, failure, failedChecks: 1 }, 'timed-out', 'No end was seen'],
  ])('says no more than is known: %j', (ending, conclusion, words) => {
    const { description } = describeFacts({ conclusion, ending, executionId })
    expect(description).toContain(words)
    expect(description).toContain(`(execution ${executionId})`)
  })

  it('of a run that is over says how long its end was waited for', () => {
    const ending = { kind: 'finished' } as const
    const facts = { executionId, ending, duration: 130_000 }
    const wait = `after a wait of 2 min 10 s (execution ${executionId})`
    expect(describeFacts({ ...facts, conclusion: 'invalid-result' })).toEqual({
      state: 'failure',
      description: `Returned an invalid result ${wait}`,
    })
    expect(describeFacts({ ...facts, conclusion: 'success', isResultLost: true })).toEqual({
      state: 'error',
      description: `Succeeded, but its result could not be fetched ${wait}`,
    })
    expect(describeFacts({ ...facts, conclusion: 'cancelled' })).toEqual({
      state: 'pending',
      description: `The wait was cancelled before the result was checked; wait again for its verdict (execution ${executionId})`,
    })
    const timedOut = { ...facts, ending: { kind: 'timed-out' }, conclusion: 'timed-out' } as const
    expect(describeFacts(timedOut).description).not.toContain('after a wait')
  })

  it('is one line of 140 characters at most, free of secrets before it is cut', () => {
    const secret = 'a-very-long-secret-value'
    const long = `::error::\n${'x'.repeat(115)} ${secret}`
    const { description } = describeFacts({ conclusion: 'error', executionId: long }, secret)
    expect(description).toHaveLength(140)
    expect(description).not.toMatch(/\n|a-very/)
    expect(describeFacts({ conclusion: 'success', executionId: secret }, secret)).toEqual({
      state: 'success',
      description: 'Succeeded (execution ***)',
    })
  })

  it('has no character of four bytes, which GitHub refuses', () => {
    const { description } = describeFacts({
      conclusion: 'error',
      executionId: 'e-\u{1f41b}-caf\u00e9',
    })
    expect(description).toBe('Failed (execution e-\ufffd-caf\u00e9)')
  })
})

describe('a status that could not be set', () => {
  const explain = (status: number | undefined, words = '') =>
    explainRefusal({ status, words, limited: false }, 'owner/repo', 'https://api.github.com')
  const words = 'Resource not accessible by integration'

  it.each([403, 404])('names the permission, where to write it, and the fork case: %d', (code) => {
    const { why, hint } = explain(code, words)
    expect(why).toBe(`GitHub answered ${String(code)} (${words})`)
    for (const part of ['"statuses: write"', '"permissions:"', 'this job', 'fork', 'workflow_run'])
      expect(hint).toContain(part)
  })

  it.each([
    [401, 'github-token'],
    [422, 'commit-sha is a commit of owner/repo'],
    [502, 'GitHub is in trouble'],
    [301, 'GITHUB_API_URL'],
  ])('says what to check: %d', (code, part) => {
    expect(explain(code).hint).toContain(part)
  })

  it('says why no answer came', () => {
    expect(explain(undefined, 'time ran out')).toEqual({
      why: 'no answer came from GitHub (time ran out)',
      hint: expect.stringContaining('https://api.github.com'),
    })
  })
})
