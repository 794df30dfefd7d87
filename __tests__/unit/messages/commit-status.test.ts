import { describe, expect, it } from '@jest/globals'
import {
  describeStatus,
  type StatusFacts,
  explainRefusal,
} from '../../../src/messages/commit-status.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'

const executionId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

function describeFacts(facts: StatusFacts, secret = '') {
  const secrets = new Secrets(() => undefined)
  secrets.add(secret)
  return describeStatus(facts, secrets.show)
}

describe('a commit status', () => {
  const openWait = 'The step stopped waiting before the end was known. Wait again for the outcome'

  it.each<[StatusFacts['conclusion'], string, string]>([
    ['running', 'pending', 'Running'],
    ['not-learned', 'pending', 'Started, but the service does not answer properly now'],
    ['success', 'success', 'Succeeded'],
    ['error', 'failure', 'Failed'],
    ['container-error', 'failure', 'Died'],
    ['stopped', 'failure', 'Was stopped'],
    ['unknown', 'error', 'Has an unknown outcome'],
    ['timed-out', 'pending', openWait],
    ['cancelled', 'pending', openWait],
  ])('has a state and words for %s', (conclusion, state, words) => {
    const description = `${words} (execution ${executionId})`
    expect(describeFacts({ conclusion, executionId })).toEqual({ state, description })
    expect(description.length).toBeLessThanOrEqual(140)
    expect(describeFacts({ conclusion })).toEqual({ state, description: words })
  })

  it('of a finished run says how long the wait was', () => {
    const facts = { executionId, duration: 130_000 }
    const wait = 'after a wait of 2 min 10 s'
    expect(describeFacts({ ...facts, conclusion: 'invalid-result' })).toEqual({
      state: 'failure',
      description: `Returned an invalid result ${wait} (execution ${executionId})`,
    })
    expect(describeFacts({ ...facts, conclusion: 'success', isResultLost: true })).toEqual({
      state: 'error',
      description: `Succeeded ${wait}, but its result could not be fetched (execution ${executionId})`,
    })
    for (const conclusion of ['cancelled', 'timed-out', 'unknown'] as const)
      expect(describeFacts({ ...facts, conclusion }).description).not.toContain('after a wait')
  })

  it('is one line of at most 140 characters, and is redacted before it is cut', () => {
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
    [502, 'has a problem'],
    [301, 'GITHUB_API_URL'],
  ])('says what to check after %d', (code, part) => {
    expect(explain(code).hint).toContain(part)
  })

  it('says why no answer came', () => {
    expect(explain(undefined, 'time ran out')).toEqual({
      why: 'no answer arrived from GitHub (time ran out)',
      hint: expect.stringContaining('https://api.github.com'),
    })
  })
})
