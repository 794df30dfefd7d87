import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { connection } from '../../../../src/runner/inputs/connection.ts'
import { ifExists } from '../../../../src/runner/inputs/create-project.ts'
import { workspaceOf } from '../../../../src/runner/inputs/environment.ts'
import { publishing } from '../../../../src/runner/inputs/publishing.ts'

const access = {
  'base-url': 'https://automations.example.com',
  'api-token': 'token-1234',
  'api-key': 'key-1234',
  'authorization-scheme': 'token',
}
const files = {
  'upload-artifact': 'true',
  'print-result': 'true',
  'print-log': 'never',
  summary: 'false',
}

const problemsOfAccess = (given: Record<string, string>) =>
  connection.safeParse({ ...access, ...given }).error?.issues.map(({ message }) => message)

describe('the credentials', () => {
  it('may hold the word token further on', () => {
    expect(problemsOfAccess({ 'api-token': 'mytoken 1234' })).toBeUndefined()
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

describe('the files to write', () => {
  const workspace = path.resolve('workspace')

  it.each(['result-file', 'log-file'])('may be one alone: %s', async (name) => {
    const given = { ...files, [name]: 'out/kept' }
    expect((await publishing(workspace).safeParseAsync(given)).success).toBe(true)
  })
})

describe('words that an input knows', () => {
  it('never prints the log, and no summary is written', () => {
    expect(publishing('.').parse(files)).toMatchObject({ printLog: 'never', summary: false })
  })

  it('skips a project that exists', () => {
    expect(ifExists.parse({ 'if-exists': 'skip' })).toBe('skip')
  })
})

describe('the workspace', () => {
  it.each([{}, { GITHUB_WORKSPACE: '' }])(
    'is the current folder where none is told: %j',
    (given) => {
      expect(workspaceOf(given)).toBe(process.cwd())
    },
  )
})
