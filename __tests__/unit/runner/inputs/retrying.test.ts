import { describe, expect, it } from '@jest/globals'
import { retrying as retryingIn } from '../../../../src/runner/inputs/waiting.ts'
import { outcome, problemsOf } from './outcome.ts'

const retrying = retryingIn('/work', '/bundle')

const given = (retries: unknown, retryOn: unknown = 'container-error') => ({
  retries,
  'retry-on': retryOn,
})

describe('retries', () => {
  it.each([
    ['0', 0],
    ['3', 3],
    [' 10 ', 10],
  ])('%j are %i', async (text, retries) => {
    expect(await outcome(retrying, given(text))).toMatchObject({ retries })
  })

  it.each(['11', '-1', '1.5', 'two', '1e1', '0x2'])('refuses %j', async (text) => {
    expect(await problemsOf(retrying, given(text))).toEqual([
      `expected a whole number from 0 to 10, found "${text}"`,
    ])
  })
})

describe('retry-on', () => {
  it.each([
    ['container-error', ['container-error']],
    ['error, container-error', ['error', 'container-error']],
    ['error\n', ['error']],
  ])('%j is %j', async (text, outcomes) => {
    expect(await outcome(retrying, given('1', text))).toMatchObject({ retryOn: new Set(outcomes) })
  })

  it.each(['stopped', 'timed-out', 'unknown', 'Error'])(
    'refuses %j: nothing else may be retried',
    async (text) => {
      expect(await problemsOf(retrying, given('1', `error, ${text}`))).toEqual([
        `expected any of error, container-error, invalid-result, found "${text}"`,
      ])
    },
  )
})

it('may name invalid-result only with a schema', async () => {
  expect(await problemsOf(retrying, given('1', 'invalid-result'))).toEqual([
    'contains invalid-result, which needs the input result-schema; give a schema',
  ])
})

it.each([
  ['', 'container-error'],
  ['1', ' '],
])('an empty text overrides a default, and is refused (%j, %j)', async (retries, retryOn) => {
  expect(await problemsOf(retrying, given(retries, retryOn))).toEqual([
    'empty or not given; give a value, or leave the input out to use its default',
  ])
})
