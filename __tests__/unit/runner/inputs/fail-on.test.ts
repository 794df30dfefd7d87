import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { failingConclusions, failOn } from '../../../../src/runner/inputs/fail-on.ts'
import { outcome, problemsOf } from './outcome.ts'

describe('fail-on', () => {
  it.each([
    ['error', ['error']],
    ['error, container-error,stopped', ['error', 'container-error', 'stopped']],
    ['timed-out\nerror\r\n', ['timed-out', 'error']],
    [' , ,error,,error', ['error']],
    ['', []],
    [' \n', []],
  ])('%j fails the step on %j', async (text, conclusions) => {
    expect(await outcome(failOn, text)).toEqual(new Set(conclusions))
  })

  it('names each unknown word and lists the known ones', async () => {
    expect(await problemsOf(failOn, 'eror, stopped, none')).toEqual([
      'expected words out of error, container-error, stopped, timed-out (or nothing), found "eror", "none"',
    ])
  })

  it('shows the first of many unknown words', async () => {
    expect(await problemsOf(failOn, 'a,b,c,d,e,f,g')).toEqual([
      expect.stringMatching(/found "a", "b", "c", "d", "e" and 2 more$/),
    ])
  })

  it.each(['Error', 'error container-error', 'error;stopped', 'success', 'unknown', 'constructor'])(
    'takes %j for no word of its own',
    async (text) => {
      expect(await problemsOf(failOn, text)).toHaveLength(1)
    },
  )

  it('does not take a text that is not given for "none": failed runs would turn green', async () => {
    expect(await problemsOf(failOn, undefined)).toEqual([
      'not given at all, although action.yml has a default; the runner did not pass it on',
    ])
  })

  it('reads any choice of words, in any order, between any separators', async () => {
    const words = fc.array(fc.constantFrom(...failingConclusions))
    const separator = fc.constantFrom(',', '\n', '\r\n', ' , ', ',,', ',\n')
    await fc.assert(
      fc.asyncProperty(words, separator, async (chosen, between) => {
        expect(await outcome(failOn, chosen.join(between))).toEqual(new Set(chosen))
      }),
    )
  })

  it('lets no other word through', async () => {
    const word = fc.string().filter((text) => text.trim() !== '' && !/[,\r\n]/.test(text))
    await fc.assert(
      fc.asyncProperty(word, async (text) => {
        fc.pre(!failingConclusions.some((conclusion) => conclusion === text.trim()))
        expect(await problemsOf(failOn, `error,${text}`)).toHaveLength(1)
      }),
    )
  })
})
