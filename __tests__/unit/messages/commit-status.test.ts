import { describe, expect, it } from '@jest/globals'
import { describeStatus, type StatusFacts } from '../../../src/messages/commit-status.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'

const executionId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

function describeFacts(facts: StatusFacts, secret = '') {
  const secrets = new Secrets(() => undefined)
  secrets.add(secret)
  return describeStatus(facts, secrets.show)
}

describe('a commit status', () => {
  const openWait = 'The step stopped waiting before the run ended'

  it.each<[StatusFacts['conclusion'], string, string]>([
    [undefined, 'pending', 'Started'],
    ['success', 'success', 'Succeeded'],
    ['error', 'failure', 'Failed'],
    ['container-error', 'failure', 'Died'],
    ['stopped', 'failure', 'Was stopped'],
    ['invalid-result', 'failure', 'Returned an invalid result'],
    ['unknown', 'error', 'Has an unknown outcome'],
    ['timed-out', 'pending', openWait],
    ['cancelled', 'pending', openWait],
  ])('has a state and words for %s', (conclusion, state, words) => {
    const description = `${words} (execution ${executionId})`
    expect(describeFacts({ conclusion, executionId })).toEqual({ state, description })
    expect(description.length).toBeLessThanOrEqual(140)
    expect(describeFacts({ conclusion })).toEqual({ state, description: words })
  })

  it.each(['refused', 'not-started'] as const)('is none for %s', (conclusion) => {
    expect(describeFacts({ conclusion }).state).toBe('none')
  })

  it('is an error if the result of a success was lost', () => {
    expect(describeFacts({ executionId, conclusion: 'success', isResultLost: true })).toEqual({
      state: 'error',
      description: `Succeeded, but its result could not be fetched (execution ${executionId})`,
    })
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
})
