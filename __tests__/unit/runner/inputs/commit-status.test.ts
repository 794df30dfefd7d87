import { describe, expect, it } from '@jest/globals'
import { commitStatus } from '../../../../src/runner/inputs/commit-status.ts'
import { fieldsOf } from '../../../../src/runner/inputs/declaration.ts'
import { secretsIn } from '../../../../src/runner/inputs/secret.ts'

const sha = '0123456789abcdef0123456789abcdef01234567'
const given = { 'commit-status': 'automation/daily', 'commit-sha': sha, 'github-token': 'ghs_7f3a' }

function problemsOf(changed: Partial<typeof given>) {
  return commitStatus
    .safeParse({ ...given, ...changed })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('the inputs of a commit status', () => {
  it('are a context, a commit and a token', () => {
    const parsed = commitStatus.parse({ ...given, 'commit-sha': ` ${sha}\n` })
    expect(parsed).toEqual({ context: 'automation/daily', sha, token: 'ghs_7f3a' })
  })

  it('may lack commit and token, which leads to a warning', () => {
    const parsed = commitStatus.parse({ ...given, 'commit-sha': '', 'github-token': ' ' })
    expect(parsed).toEqual({ context: 'automation/daily' })
  })

  it('ask for nothing without a context', () => {
    expect(commitStatus.parse({ ...given, 'commit-status': '' })).toBeUndefined()
  })

  it.each([sha, sha.toUpperCase(), 'f'.repeat(64), ''])('take a whole SHA or none: %s', (whole) => {
    expect(problemsOf({ 'commit-sha': whole })).toBeUndefined()
  })

  it.each(['main', sha.slice(0, 7), `${sha}0`, `${sha}/../..`, 'g'.repeat(40)])(
    'refuse other texts than a whole SHA: %s',
    (text) => {
      expect(problemsOf({ 'commit-sha': text })).toEqual([
        `commit-sha: expected a whole commit SHA of 40 or 64 hexadecimal digits, found "${text}"`,
      ])
    },
  )

  it('refuse a context that is longer than GitHub allows', () => {
    expect(problemsOf({ 'commit-status': 'x'.repeat(255) })).toBeUndefined()
    expect(problemsOf({ 'commit-status': '😀'.repeat(256) })).toEqual([
      'commit-status: expected at most 255 characters, found 256',
    ])
  })

  it('refuse a context of two lines and a token that no header can contain, at once', () => {
    const changed = { 'commit-status': 'a\nb', 'github-token': 'ghs\u0007' }
    expect(problemsOf(changed)).toEqual([
      expect.stringMatching(/^commit-status: expected one line/),
      expect.stringMatching(/^github-token: expected one line/),
    ])
  })

  it('contain one secret, the token, even if no status is asked for', () => {
    const fields = fieldsOf(commitStatus, { 'INPUT_GITHUB-TOKEN': 'ghs_7f3a' })
    expect(secretsIn(fields)).toEqual({ values: ['ghs_7f3a'], tooShort: [] })
  })
})
