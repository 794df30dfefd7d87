import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { writeSummary } from '../../../src/runner/outputs.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

describe('the summary file', () => {
  it('keeps its earlier content', async () => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'summary.md')
    await writeFile(file, '')

    expect(writeSummary('one\n\n', file)).toBeUndefined()
    expect(writeSummary('two\n\n', file)).toBeUndefined()
    expect(await readFile(file, 'utf8')).toBe('one\n\ntwo\n\n')
  })

  it.each([
    [
      'cannot be written',
      '/nowhere/summary.md',
      /cannot be written: no such file or directory \(ENOENT\)$/,
    ],
    ['the runner does not offer', undefined, /GITHUB_STEP_SUMMARY/],
  ])('that %s is a problem, not an error', (_, file, problem) => {
    expect(writeSummary('text', file)).toMatch(problem)
  })
})
