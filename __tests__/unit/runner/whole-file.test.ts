import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { writeWhole } from '../../../src/runner/files.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

async function* failing() {
  yield await Promise.resolve('one\n')
  throw new Error('no more')
}

describe('a file of pieces', () => {
  it('has its name once it is whole', async () => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'file')
    await writeWhole(file, ['one\n', '', 'two\n'])

    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n')
    expect(await readdir(folder.path)).toEqual(['file'])
  })

  it('that fails midway keeps the older file', async () => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'file')
    await writeWhole(file, ['before'])

    await expect(writeWhole(file, failing())).rejects.toThrow('no more')
    expect(await readFile(file, 'utf8')).toBe('before')
    expect(await readdir(folder.path)).toEqual(['file'])
  })
})
