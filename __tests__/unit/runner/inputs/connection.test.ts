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
  it('may hold the word token further on', () => {
    expect(problemsOfAccess({ 'api-token': 'mytoken 1234' })).toBeUndefined()
  })

  it.each(['Token abcd', 'token  abcd'])('are refused as %j, the scheme doubled', (given) => {
    expect(problemsOfAccess({ 'api-token': given })).toEqual([
      expect.stringMatching(/give the token alone/),
    ])
  })

  it.each(['line\u0007bell', 'Łódź', 'clé'])('hold nothing that no header takes: %j', (given) => {
    expect(problemsOfAccess({ 'api-key': given })).toEqual([
      expect.stringMatching(/^expected one line of printable ASCII characters, found a line break/),
    ])
  })

  it('that break two rules are told the one that matters first', () => {
    expect(problemsOfAccess({ 'api-token': 'Token Łódź' })).toEqual([
      expect.stringMatching(/^expected one line of printable ASCII characters/),
    ])
  })
})
