import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { seedFile } from '../../../../src/runner/inputs/seed-file.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { problemsOf } from './outcome.ts'

// Windows has no such folder or name at all, and says so in its own way.
const onPosix = process.platform === 'win32' ? it.skip : it

describe('a seed file that cannot be read', () => {
  onPosix('is missing, when a file stands where its folder should', async () => {
    await using workspace = await makeTemporaryFolder()
    await writeFile(path.join(workspace.path, 'seeds'), '{}')
    expect((await problemsOf(seedFile(workspace.path), 'seeds/one.json')).join()).toContain(
      'there is no such file',
    )
  })

  onPosix('is no seed when it is a pipe, which nobody may ever write to', async () => {
    await using workspace = await makeTemporaryFolder()
    execFileSync('mkfifo', [path.join(workspace.path, 'pipe')])
    expect((await problemsOf(seedFile(workspace.path), 'pipe')).join()).toMatch(
      /: it is a folder or no regular file$/,
    )
  })

  onPosix('is no seed when it is a device, which never ends', async () => {
    expect((await problemsOf(seedFile('/'), '/dev/zero')).join()).toMatch(
      /: it is a folder or no regular file$/,
    )
  })

  onPosix('is told with the code of the system, when it has another reason', async () => {
    await using workspace = await makeTemporaryFolder()
    const file = 'a'.repeat(300)
    expect((await problemsOf(seedFile(workspace.path), file)).join()).toMatch(
      /: its name is too long \(ENAMETOOLONG\)$/,
    )
  })
})
