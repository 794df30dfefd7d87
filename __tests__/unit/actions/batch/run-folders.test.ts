import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { RunFolders, runFolderName } from '../../../../src/actions/batch/run-folders.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { hostileText } from '../../../support/hostile-text.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const seed = { number: 12, text: '{}', label: '../Köln', key: '', occurrence: 0 }
const show = (text: string) => text

describe('the folder of a run', () => {
  it('lies below the batch, whatever the label says', async () => {
    await using base = await makeTemporaryFolder()
    const folders = new RunFolders(base.path, show)
    expect(await folders.makeFor(seed)).toBe(path.join(folders.folder, '12-Koln'))
  })

  it('has no part of a secret of the label, also if the name is cut within the secret', async () => {
    await using base = await makeTemporaryFolder()
    const secrets = new Secrets(() => undefined)
    secrets.add('correct-horse')
    const label = `${'x'.repeat(50)}correct-horse`
    const folder = await new RunFolders(base.path, secrets.show).makeFor({ ...seed, label })
    expect(path.basename(folder)).toBe(`12-${'x'.repeat(50)}`)
  })

  it('is unique, also if labels are equal, or lead to the same name', async () => {
    await using base = await makeTemporaryFolder()
    const folders = new RunFolders(base.path, show)
    const labels = ['Bern', 'Bern', 'bern', 'Bérn', '😀', '🎉', '2-Bern']
    for (const [index, label] of labels.entries()) {
      await writeFile(
        path.join(await folders.makeFor({ ...seed, number: index + 1, label }), 'run.log'),
        '',
      )
    }
    expect((await readdir(folders.folder)).toSorted()).toEqual([
      ...['1-Bern', '2-Bern', '3-bern', '4-Bern', '5', '6', '7-2-Bern'],
    ])
  })

  it('is emptied for the execution after a failed one, and counts only complete files', async () => {
    await using base = await makeTemporaryFolder()
    const folders = new RunFolders(base.path, show)
    await writeFile(path.join(await folders.makeFor(seed), 'result.csv'), 'old')
    const folder = await folders.makeFor(seed)
    await writeFile(path.join(folder, 'result.json'), 'new')
    await writeFile(path.join(folder, 'run.part'), 'half')
    expect(await folders.files()).toEqual([path.join('12-Koln', 'result.json')])
  })
})

describe("the name of a run's folder", () => {
  it.each([
    ['', '12'],
    ['São Paulo / Zürich', '12-Sao-Paulo-Zurich'],
    ['🎉', '12'],
    ['../../etc/passwd', '12-etc-passwd'],
    ['C:\\Windows\\..', '12-C-Windows'],
    ['con', '12-con'],
    ['..hidden..', '12-hidden'],
    ['a'.repeat(100), `12-${'a'.repeat(57)}`],
    [`${'a'.repeat(56)}-b`, `12-${'a'.repeat(56)}`],
  ])('for %j is %s', (label, name) => {
    expect(runFolderName(12, label)).toBe(name)
  })

  it('is safe on every system and contains the run’s number, whatever the label is', () => {
    fc.assert(
      fc.property(hostileText, fc.nat(10_000), (label, number) => {
        const name = runFolderName(number, label)
        expect(name).toMatch(/^\d+(?:-[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/)
        expect(name).not.toContain('..')
        expect(name.length).toBeLessThanOrEqual(60)
        expect(parseInt(name)).toBe(number)
      }),
    )
  })
})
