import { describe, expect, it } from '@jest/globals'
import { ActionError, InputError, messageOf } from '../../src/errors.ts'

describe('an ActionError', () => {
  it('says what happened, under which title, and what to do', () => {
    const error = new ActionError('It broke.', {
      title: 'Broken',
      entry: 'failed',
      hint: 'Mend it.',
    })

    expect(error).toMatchObject({ message: 'It broke.', title: 'Broken', hint: 'Mend it.' })
    expect(error.name).toBe('ActionError')
  })

  it('has a cause only where it was given one', () => {
    const words = { title: 'Broken', entry: 'failed', hint: 'Mend it.' } as const

    expect('cause' in new ActionError('It broke.', words)).toBe(false)
    expect(new ActionError('It broke.', { ...words, cause: 'rust' }).cause).toBe('rust')
  })
})

describe('an InputError', () => {
  const timeout = { input: 'timeout', problem: 'expected a duration, found "10x"' }
  const seed = { input: 'seed', problem: 'not JSON' }

  it('tells all problems in one message, each by the name of its input', () => {
    const error = new InputError([timeout, seed])

    expect(error.message).toBe('timeout: expected a duration, found "10x"\nseed: not JSON')
    expect(error.problems).toEqual([timeout, seed])
    expect(error.title).toBe('Some inputs are wrong')
  })

  it('speaks of one input where there is one, and says that nothing was started', () => {
    const error = new InputError([seed])

    expect(error.title).toBe('An input is wrong')
    expect(error.hint).toContain('nothing was started')
    expect(error.name).toBe('InputError')
  })
})

describe('messageOf', () => {
  it('gives the text of an error, and of anything else that was thrown', () => {
    expect(messageOf(new TypeError('no number'))).toBe('no number')
    expect(messageOf('plain words')).toBe('plain words')
    expect(messageOf(undefined)).toBe('undefined')
  })
})
