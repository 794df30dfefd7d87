import { readdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { makeStepFolder } from '../../../src/runner/step-folder.ts'
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
