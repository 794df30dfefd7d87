import { describe, expect, it } from '@jest/globals'
import { messageOf } from '../../src/errors.ts'

describe('messageOf', () => {
  it('gives the text of an error, and of anything else that was thrown', () => {
    expect(messageOf(new TypeError('no number'))).toBe('no number')
    expect(messageOf('plain words')).toBe('plain words')
    expect(messageOf(undefined)).toBe('undefined')
  })
})
