import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readLastLines } from '../../../src/download/file-text.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

async function lastLinesOf(text: string, limit: number): Promise<string> {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'run.log')
  await writeFile(file, text)
  return await readLastLines(file, limit)
}

describe('the last lines of a file', () => {
  it.each([
    ['are all of a short one', 'one\ntwo\n', 8, 'one\ntwo\n'],
    ['are whole', 'one\ntwo\nthree\n', 11, 'two\nthree\n'],
    ['are the end of a line that alone is longer', 'one\nlong line', 4, 'line'],
    ['are the end of such a line with its line break, too', 'one\nlong line\n', 5, 'line\n'],
  ])('%s', async (_, text, limit, shown) => {
    expect(await lastLinesOf(text, limit)).toBe(shown)
  })
})
