import { describe, expect, it } from '@jest/globals'
import { booleanInput } from '../../../../src/runner/inputs/boolean.ts'
import { outcome, problemsOf } from './outcome.ts'

describe('a boolean, as the core schema of YAML 1.2 spells it', () => {
  it.each(['true', 'True', 'TRUE', ' true\n'])('%j is true', async (text) => {
    expect(await outcome(booleanInput, text)).toBe(true)
  })

  it.each(['false', 'False', 'FALSE'])('%j is false', async (text) => {
    expect(await outcome(booleanInput, text)).toBe(false)
  })

  it.each(['yes', 'no', 'on', '1', '0', 'tRUE', 'truethy', 'null'])('%j is none', async (text) => {
    expect(await problemsOf(booleanInput, text)).toEqual([
      `expected true or false, found "${text}"`,
    ])
  })

  it('has no value when empty', async () => {
    expect(await problemsOf(booleanInput, '')).toHaveLength(1)
  })
})
