import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { anyText } from '../../../support/any-text.ts'
import {
  keyOf,
  parseKey,
  recordPrefix,
  type EarlierExecution,
} from '../../../../src/runner/memory/record.ts'

const prefix = recordPrefix('16420', 'a1b2c3')

describe('the key of a record', () => {
  // `@v1` may move between two attempts of a job: these texts may never change.
  it.each<[string, EarlierExecution]>([
    ['run-automation-16420-a1b2c3-1-6578', { kind: 'started', attempt: 1, executionId: 'ex' }],
    [
      'run-automation-16420-a1b2c3-2-6578-told-container-error',
      { kind: 'told', attempt: 2, executionId: 'ex', conclusion: 'container-error' },
    ],
    ['run-automation-16420-a1b2c3-3-unknown', { kind: 'unknown', attempt: 3 }],
  ])('is %s', (key, record) => {
    expect(keyOf(prefix, record)).toBe(key)
    expect(parseKey(prefix, key)).toEqual(record)
  })

  it('brings back every id that it takes', () => {
    const ids = anyText({ minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(ids, (text) => {
        const record = { kind: 'started', attempt: 1, executionId: text.trim() } as const
        const key = keyOf(prefix, record)
        const read = key === undefined ? undefined : parseKey(prefix, key)
        expect([undefined, record]).toContainEqual(read)
      }),
    )
  })

  it('is not made for an id that is too long for one', () => {
    const record = { kind: 'started', attempt: 1, executionId: 'é'.repeat(200) } as const
    expect(keyOf(prefix, record)).toBeUndefined()
  })

  it.each([
    ['another step', 'run-automation-16420-ffffff-1-6578'],
    ['no attempt', 'run-automation-16420-a1b2c3-6578'],
    ['no id', 'run-automation-16420-a1b2c3-1-'],
    ['an id that is no text', 'run-automation-16420-a1b2c3-1-ff'],
    ['an id that breaks the rule for ids', 'run-automation-16420-a1b2c3-1-2e2e'],
    ['an end that is none', 'run-automation-16420-a1b2c3-1-6578-told-timed-out'],
    ['something behind', 'run-automation-16420-a1b2c3-1-6578-told-success-x'],
  ])('is not read with %s', (_what, key) => {
    expect(parseKey(prefix, key)).toBeUndefined()
  })
})
