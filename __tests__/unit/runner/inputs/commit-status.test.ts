import { describe, expect, it } from '@jest/globals'
import { commitStatus } from '../../../../src/runner/inputs/commit-status.ts'
import { fieldsOf } from '../../../../src/runner/inputs/declaration.ts'
import { secretsIn } from '../../../../src/runner/inputs/secret.ts'

const commitSha = '0123456789abcdef0123456789abcdef01234567'
const given = {
  'commit-status': 'automation/daily',
  'commit-sha': commitSha,
  'github-token': 'ghs_7f3a',
}

describe('the inputs of a commit status', () => {
  it('are a context, a commit and a token', () => {
    const parsed = commitStatus.parse({ ...given, 'commit-sha': ` ${commitSha}\n` })
    const expected = { commitStatus: 'automation/daily', commitSha, githubToken: 'ghs_7f3a' }
    expect(parsed).toEqual(expected)
  })

  it('may be empty', () => {
    const empty = { 'commit-status': '', 'commit-sha': '', 'github-token': ' ' }
    expect(commitStatus.parse(empty)).toEqual({})
  })

  it('refuse a context of two lines and a token that no header can contain, at once', () => {
    const changed = { ...given, 'commit-status': 'a\nb', 'github-token': 'ghs\u0007' }
    expect(commitStatus.safeParse(changed).error?.issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^expected one line/),
      expect.stringMatching(/^expected one line/),
    ])
  })

  it('contain one secret, the token, even if no status is asked for', () => {
    const fields = fieldsOf(commitStatus, { 'INPUT_GITHUB-TOKEN': 'ghs_7f3a' })
    expect(secretsIn(fields)).toEqual(['ghs_7f3a'])
  })
})
