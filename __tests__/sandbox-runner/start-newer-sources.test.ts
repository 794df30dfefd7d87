import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { isNewerThanDist } from '../../scripts/start/newer-sources.ts'
import { git } from '../examples/harness/checkout.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

it('npm start builds first if the sources differ from those of the last commit of dist/', async () => {
  await using folder = await makeTemporaryFolder()
  const write = (file: string, text: string) => writeFile(path.join(folder.path, file), text)
  const commit = () => {
    git(folder.path, 'add', '--all')
    git(folder.path, '-c', 'user.name=t', '-c', 'user.email=t@e', 'commit', '-q', '-m', 'files')
  }
  for (const name of ['src', 'dist']) await mkdir(path.join(folder.path, name))
  expect(isNewerThanDist(folder.path)).toBe(false)
  git(folder.path, 'init', '--quiet')
  await write('src/a.ts', 'one')
  await write('dist/a.js', 'one')
  commit()
  expect(isNewerThanDist(folder.path)).toBe(false)

  await write('src/a.ts', 'two')
  expect(isNewerThanDist(folder.path)).toBe(true)
  commit()
  expect(isNewerThanDist(folder.path)).toBe(true)

  await write('dist/a.js', 'two')
  commit()
  expect(isNewerThanDist(folder.path)).toBe(false)
})
