import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { writeSummary } from '../../../src/runner/outputs.ts'

describe('the summary file', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'summary-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('keeps what is in it', async () => {
    const file = path.join(folder, 'summary.md')

    expect(await writeSummary('one\n\n', file)).toBeUndefined()
    expect(await writeSummary('two\n\n', file)).toBeUndefined()
    expect(await readFile(file, 'utf8')).toBe('one\n\ntwo\n\n')
  })

  it('that cannot be written is a problem, not an error', async () => {
    expect(await writeSummary('text', path.join(folder, 'none', 'summary.md'))).toBe(
      "the runner's file for it (GITHUB_STEP_SUMMARY) cannot be written: it is not there (ENOENT)",
    )
  })

  it('that the runner does not offer is a problem, not an error', async () => {
    expect(await writeSummary('text', undefined)).toMatch(/GITHUB_STEP_SUMMARY/)
  })
})
