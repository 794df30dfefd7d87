import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

/**
 * Makes a small action in a folder of its own.
 *
 * @param program - the action's ESM source. It may import the packages in `toolkit`.
 * @param inputs - the lines below `inputs:` in its `action.yml`
 */
export async function makeAction(program: string, inputs = ''): Promise<TemporaryFolder> {
  const folder = await makeTemporaryFolder()
  const runs = 'runs:\n  using: node24\n  main: main.mjs\n'
  const declared = inputs === '' ? '' : `inputs:\n${inputs}\n`
  await writeFile(path.join(folder.path, 'action.yml'), `name: Fixture\n${declared}${runs}`)
  await writeFile(path.join(folder.path, 'main.mjs'), program)
  return folder
}

const modules = new URL('../../node_modules/', import.meta.url)

/** The address of GitHub's package. A fixture outside the repository cannot import it by name. */
export const toolkit = {
  core: new URL('@actions/core/lib/core.js', modules).href,
}
