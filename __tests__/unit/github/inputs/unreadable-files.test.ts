import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { seedFile } from '../../../../src/github/inputs/seed-file.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { problemsOf } from './outcome.ts'

// Windows has no such folder or name at all, and says so in its own way.
const onPosix = process.platform === 'win32' ? it.skip : it

describe('a seed file that cannot be read', () => {
  onPosix('is missing, when a file stands where its folder should', async () => {
    await using workspace = await makeTemporaryFolder()
    await writeFile(path.join(workspace.path, 'seeds'), '{}')
    expect((await problemsOf(seedFile(workspace.path), 'seeds/one.json')).join()).toContain(
      'there is no such file in the workspace',
    )
  })

  onPosix('is told with the code of the system, when it has another reason', async () => {
    await using workspace = await makeTemporaryFolder()
    const file = 'a'.repeat(300)
    expect((await problemsOf(seedFile(workspace.path), file)).join()).toMatch(
      /: it cannot be read \(ENAMETOOLONG\)$/,
    )
  })
})
