import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readActionFile } from '../../../sandbox/runner/action-file.ts'
import { root } from '../../../scripts/docs/action-files.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

/** Makes a copy of an action with another program. `program`: gets the bundle's path as JavaScript. */
export async function makeActionAround(
  action: string,
  program: (bundle: string) => string,
): Promise<TemporaryFolder> {
  const { main } = await readActionFile(action)
  const file = await readFile(path.join(root, action, 'action.yml'), 'utf8')
  return makeTemporaryFolder({
    'action.yml': file.replace(/main: .*/, 'main: main.mjs'),
    'main.mjs': program(JSON.stringify(main)),
  })
}
