import { describe, expect, it } from '@jest/globals'
import { ifExists, pathSegment, projectName } from '../../../../src/runner/inputs/subject.ts'
import { outcome, problemsOf } from './outcome.ts'

const missing =
  'required, but empty or not given; give a value (if the value comes from a variable or an output, that variable or output may be missing)'

describe('the name of a project, an automation or an execution', () => {
  it.each(['daily_report', 'Ünïcode 😀', 'a/b?c#d%2e', '...', '.a', '👩\u200d💻', 'a'.repeat(200)])(
    '%s is accepted unchanged',
    async (name) => {
      expect(await outcome(pathSegment, name)).toBe(name)
    },
  )

  it.each([
    ['', missing],
    [' \n', missing],
    [undefined, missing],
    ['.', '"." is not a name; give one other than . and ..'],
    [' .. ', '".." is not a name; give one other than . and ..'],
    ['a'.repeat(201), 'expected at most 200 characters, found 201'],
    [
      'a\u2028b',
      'expected one line of text without control characters, found a line break or another control character',
    ],
    ['\ud800', 'expected well-formed Unicode, found half of a surrogate pair'],
  ])('%j is refused', async (text, problem) => {
    expect(await problemsOf(pathSegment, text)).toEqual([problem])
  })
})

describe('the name of a project to create', () => {
  it("follows the service's pattern", async () => {
    expect(await outcome(projectName, 'reports_2')).toBe('reports_2')
  })

  it('is refused with the pattern in words', async () => {
    expect(await problemsOf(projectName, 'Reports')).toEqual([
      'expected lowercase letters, digits, hyphens and underscores, starting with a letter or a digit (^[a-z0-9][a-z0-9_-]*$), found "Reports"',
    ])
  })

  it('has one problem if it is empty', async () => {
    expect(await problemsOf(projectName, '')).toEqual([missing])
  })
})

describe('a project that exists', () => {
  it('may be skipped', () => {
    expect(ifExists.parse({ 'if-exists': 'skip' })).toBe('skip')
  })
})
