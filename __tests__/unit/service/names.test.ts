import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { findSegmentProblem, projectNamePattern } from '../../../src/service/names.ts'
import { anyText } from '../../support/any-text.ts'

describe('a name or an id', () => {
  it.each([
    ...['9b2f6c1e-0000-4000-8000-000000000001', '../../admin', 'a/b', '%2e%2e', '...', 'ü'],
    'x'.repeat(200),
  ])('may be %j, which becomes one percent-encoded segment', (name) => {
    expect(findSegmentProblem(name)).toBeUndefined()
  })

  it.each([
    ['', 'expected a name, found an empty text'],
    ['a\nb', 'expected a name without control characters, found one'],
    ['a\0b', 'expected a name without control characters, found one'],
    ['a\u001b[31m', 'expected a name without control characters, found one'],
    ['a\u0085b', 'expected a name without control characters, found one'],
    ['.', '"." is not a name; give one other than . and ..'],
    ['..', '".." is not a name; give one other than . and ..'],
    ['x'.repeat(201), 'expected at most 200 characters, found 201'],
    ['\ud800', 'expected well-formed Unicode, found half of a surrogate pair'],
  ])('is not %j', (name, problem) => {
    expect(findSegmentProblem(name)).toBe(problem)
  })

  it('that is accepted always stays one segment of the status route', () => {
    const text = fc.oneof(anyText(), fc.constantFrom('.', '..', '/', '\ud800'))
    fc.assert(
      fc.property(text, (name) => {
        if (findSegmentProblem(name) !== undefined) return
        const url = new URL(`https://host/api/v4/execution/${encodeURIComponent(name)}/status`)
        expect(url.pathname.split('/')).toHaveLength(6)
        expect(decodeURIComponent(url.pathname.split('/')[4] ?? '')).toBe(name)
      }),
    )
  })
})

describe("a project's name", () => {
  it.each(['a', '0', 'daily-report_2'])('may be %j', (name) => {
    expect(projectNamePattern.test(name)).toBe(true)
  })

  it.each(['', '_a', '-a', 'A', 'aB', 'a b', 'a/b', 'ä', 'a\n'])('may not be %j', (name) => {
    expect(projectNamePattern.test(name)).toBe(false)
  })
})
