import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { RunFolders } from '../../../../src/actions/batch/run-folders.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const seed = { index: 11, text: '{}', label: '../Köln', key: '', occurrence: 0 }
const show = (text: string) => text

describe('the folder of a run', () => {
  it('lies below the batch, whatever the label says', async () => {
    await using base = await makeTemporaryFolder()
    const folders = new RunFolders(base.path, show)
    expect(await folders.make(seed)).toBe(path.join(base.path, '12-Koln'))
  })

  it('is its own, also where labels are equal, or come to the same name', async () => {
    await using base = await makeTemporaryFolder()
    const folders = new RunFolders(base.path, show)
    const labels = ['Bern', 'Bern', 'bern', 'Bérn', '😀', '🎉', '2-Bern']
    for (const [index, label] of labels.entries()) {
      await writeFile(path.join(await folders.make({ ...seed, index, label }), 'run.log'), '')
    }
    expect((await readdir(base.path)).toSorted()).toEqual([
      ...['1-Bern', '2-Bern', '3-bern', '4-Bern', '5', '6', '7-2-Bern'],
    ])
  })

  it('is emptied for the execution that follows a failed one, and then kept', async () => {
    await using base = await makeTemporaryFolder()
    const folders = new RunFolders(base.path, show)
    const folder = await folders.make(seed)
    await writeFile(path.join(folder, 'result.csv'), 'old')
    await folders.make(seed)
    await writeFile(path.join(folder, 'result.json'), 'new')
    await folders.remove(folder)
    expect(await folders.files()).toEqual([path.join('12-Koln', 'result.json')])
  })

  it('goes where an execution followed that left no files', async () => {
    await using base = await makeTemporaryFolder()
    const folders = new RunFolders(base.path, show)
    await folders.remove(await folders.make(seed))
    expect(await readdir(base.path)).toEqual([])
  })

  it('counts a file as one of its files once it is whole', async () => {
    await using base = await makeTemporaryFolder()
    const folders = new RunFolders(base.path, show)
    await writeFile(path.join(await folders.make(seed), 'result.part'), 'half')
    expect(await folders.files()).toEqual([])
  })
})
