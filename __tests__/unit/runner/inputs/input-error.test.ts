import { describe, expect, it } from '@jest/globals'
import { InputError, openInputs } from '../../../../src/runner/inputs/declaration.ts'
import { waitInputs } from '../../../../src/runner/inputs/read.ts'
import { rejectionOf } from '../../../support/rejection.ts'

describe('an InputError', () => {
  const timeout = { input: 'timeout', problem: 'expected a duration, found "10x"' }
  const seed = { input: 'seed', problem: 'not JSON' }

  it('tells all problems in one message, each by the name of its input', () => {
    const error = new InputError([timeout, seed])

    expect(error.message).toBe('timeout: expected a duration, found "10x"\nseed: not JSON')
    expect(error.problems).toEqual([timeout, seed])
    expect(error.title).toBe('Invalid inputs')
  })

  it('speaks of one input where there is one, and says that nothing was started', () => {
    const error = new InputError([seed])

    expect(error.title).toBe('Invalid input')
    expect(error.hint).toContain('nothing was started')
    expect(error.name).toBe('InputError')
  })
})

it('a secret without a value is told with where secrets come from', async () => {
  const given = { 'INPUT_API-TOKEN': ' ', 'INPUT_API-KEY': 'two\nlines', 'INPUT_BASE-URL': '' }
  const failure = await rejectionOf(openInputs(waitInputs, given).parse())
  const { problems = [] } = failure instanceof InputError ? failure : {}
  const inputs = problems.map(({ input }) => input)

  expect(inputs.slice(0, 3)).toEqual(['base-url', 'api-token', 'api-key'])
  expect(problems.filter(({ problem }) => problem.includes('a secret'))).toEqual([
    {
      input: 'api-token',
      problem: expect.stringMatching(
        /^required, but empty or not given; if it comes from a secret/,
      ),
    },
  ])
})
