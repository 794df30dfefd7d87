/** Actions on a full disk. A limit on the size of a file stands for a full disk. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { it } from '@jest/globals'
import { readActionFile } from '../../../sandbox/runner/action-file.ts'
import { root } from '../../../scripts/docs/action-files.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

// Windows has no limit on the size of a file.
export const itWithLimits = process.platform === 'win32' ? it.skip : it

/** Makes a copy of an action whose program can write no file of more than `room` KiB. */
export async function makeLimitedAction(action: string, room: number): Promise<TemporaryFolder> {
  const made = await makeTemporaryFolder()
  const { main } = await readActionFile(action)
  const file = await readFile(path.join(root, action, 'action.yml'), 'utf8')
  const write = (name: string, text: string) => writeFile(path.join(made.path, name), text)
  await write('action.yml', file.replace(/main: .*/, 'main: limited.mjs'))
  await write(
    'limited.mjs',
    `import { spawnSync } from 'node:child_process'
     const command = 'ulimit -f ${room}; exec "$0" "$1"'
     const { status } = spawnSync('bash', ['-c', command, process.execPath, ${JSON.stringify(main)}], { stdio: 'inherit' })
     process.exitCode = status ?? 1`,
  )
  return made
}
