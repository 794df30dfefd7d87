import { describe, expect, it } from '@jest/globals'
import { InputError } from '../../../../src/runner/inputs/declaration.ts'

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
