import { describe, expect, it } from '@jest/globals'
import { connection } from '../../../../src/runner/inputs/connection.ts'

const access = {
  'base-url': 'https://automations.example.com',
  'api-token': 'token-1234',
  'api-key': 'key-1234',
  'authorization-scheme': 'token',
}

const problemsOfAccess = (given: Record<string, string>) =>
  connection.safeParse({ ...access, ...given }).error?.issues.map(({ message }) => message)

describe('the credentials', () => {
  it('may contain the word token, but not at their beginning', () => {
    expect(problemsOfAccess({ 'api-token': 'mytoken 1234' })).toBeUndefined()
  })

  it.each(['Token abcd', 'token  abcd'])('are refused as %j, the scheme doubled', (given) => {
    expect(problemsOfAccess({ 'api-token': given })).toEqual([
      expect.stringMatching(/give only the token/),
    ])
  })

  it.each(['line\u0007bell', 'Łódź', 'clé'])('are refused if they fit no header: %j', (given) => {
    expect(problemsOfAccess({ 'api-key': given })).toEqual([
      expect.stringMatching(/^expected one line of printable ASCII characters, found a line break/),
    ])
  })

  it('that break two rules lead to the more important problem', () => {
    expect(problemsOfAccess({ 'api-token': 'Token Łódź' })).toEqual([
      expect.stringMatching(/^expected one line of printable ASCII characters/),
    ])
  })
})
