import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'

/** The folder of the bundles that jest has built from the sources. */
const made = process.env['BUNDLES_UNDER_TEST'] ?? ''
const committed = path.join(root, 'dist')

/** Matches files that belong to no bundle: hashes of sources, and folders of a killed build. */
const isBesideBundles = /made-from\.json$|^[^\\/]*\.\d/

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
}

async function isSame(file: string): Promise<boolean> {
  const read = (folder: string) => readFile(path.join(folder, file), 'utf8').catch(() => undefined)
  return (await read(made)) === (await read(committed))
}

it('dist/ is built from these sources', async () => {
  const all = new Set([...(await filesIn(made)), ...(await filesIn(committed))])
  const files = [...all].filter((file) => !isBesideBundles.test(file)).toSorted()
  const same = await Promise.all(files.map(isSame))
  const stale = files.filter((_, index) => !same[index])
  expect(stale.map((file) => `dist/${file} is stale: run npm run build`)).toEqual([])
})
