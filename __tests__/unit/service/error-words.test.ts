import { describe, expect, it } from '@jest/globals'
import { errorWordsOf } from '../../../src/service/error-words.ts'

const wordsOf = (json: unknown) => errorWordsOf(json, JSON.stringify(json))

describe('the text of an error answer', () => {
  it.each([
    [{ message: 'no such project' }, 'message', 'no such project'],
    [{ error: 'not found' }, 'error', 'not found'],
    [{ detail: 'no credentials' }, 'detail', 'no credentials'],
    [{ detail: 'd', error: 'e', message: 'm' }, 'message', 'm'],
    [{ message: 7, error: 'e' }, 'error', 'e'],
    [{ message: '', error: 'e' }, 'error', 'e'],
  ])('of %j is under a documented key', (json, key, words) => {
    expect(wordsOf(json)).toEqual({ key, words })
  })

  it.each([
    [{ webhook: ['Enter a valid URL.'] }, 'webhook: Enter a valid URL.'],
    [
      { error: { code: 'E1', message: 'no such region' } },
      'error.code: E1; error.message: no such region',
    ],
    [
      { errors: [{ field: 'seed', why: 'bad' }, 'more'] },
      'errors.field: seed; errors.why: bad; errors: more',
    ],
    [['one', ['two'], 3, true], 'one; two; 3; true'],
    ['a text', 'a text'],
    [{ message: null, error: [], detail: {} }, ''],
    [{}, ''],
    [null, ''],
  ])('of %j is all its texts', (json, words) => {
    expect(wordsOf(json)).toEqual({ key: undefined, words })
  })

  it.each([
    ['  The seed is too large.\n', 'The seed is too large.'],
    ['<html><head><title>413 Too Large</title></head><body>nginx</body></html>', '413 Too Large'],
    ['<!doctype html><p>no', ''],
    ['', ''],
  ])('that is not JSON (%j) is the body, or the title of a page', (body, words) => {
    expect(errorWordsOf(undefined, body)).toEqual({ key: undefined, words })
  })

  it('is bounded, however many and deep its parts are', () => {
    const deep = `[${'['.repeat(100_000)}"deep"${']'.repeat(100_000)}, "shallow"]`
    expect(errorWordsOf(JSON.parse(deep), deep).words).toBe('shallow')
    expect(wordsOf(Array<string>(100_000).fill('x')).words).toHaveLength(100 * 3 - 2)
  })
})
