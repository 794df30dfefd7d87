import { readdir, readFile, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { makeStepFolder, writeWhole } from '../../../src/runner/files.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

describe('the folder of a step', () => {
  it.each([
    ['created if RUNNER_TEMP does not exist', (temp: string) => path.join(temp, 'a/b')],
    ['absolute if RUNNER_TEMP is relative', (temp: string) => path.relative('', temp)],
  ])('is %s', async (_, name) => {
    await using temp = await makeTemporaryFolder()
    const named = name(temp.path)
    const folder = await makeStepFolder({ RUNNER_TEMP: named })
    expect([path.isAbsolute(folder), path.dirname(folder)]).toEqual([true, path.resolve(named)])
    expect(await readdir(folder)).toEqual([])
  })

  it('is in the system’s temp folder if RUNNER_TEMP is empty', async () => {
    const folder = await makeStepFolder({ RUNNER_TEMP: ' ' })
    expect(path.dirname(folder)).toBe(tmpdir())
    await rmdir(folder)
  })
})

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
