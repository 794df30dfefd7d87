import { describe, expect, it } from '@jest/globals'
import { describeStatus, type StatusFacts } from '../../../src/messages/commit-status.ts'

const executionId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

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
    expect(describeStatus({ conclusion, executionId })).toEqual({ state, description })
    expect(description.length).toBeLessThanOrEqual(140)
    expect(describeStatus({ conclusion })).toEqual({ state, description: words })
  })

  it.each(['refused', 'not-started'] as const)('is none for %s', (conclusion) => {
    expect(describeStatus({ conclusion }).state).toBe('none')
  })

  it('is an error if the result of a success was lost', () => {
    expect(describeStatus({ executionId, conclusion: 'success', isResultLost: true })).toEqual({
      state: 'error',
      description: `Succeeded, but its result could not be fetched (execution ${executionId})`,
    })
  })
})
