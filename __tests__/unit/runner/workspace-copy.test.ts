import { execFileSync } from 'node:child_process'
import { open, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { copyIntoWorkspace, makeStepFolder } from '../../../src/runner/workspace.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

const never = new AbortController().signal
const onPosix = process.platform === 'win32' ? it.skip : it

/** Copies `source` over a file that is there already. */
async function copyOver(source: string, { path: workspace }: TemporaryFolder, cancelled = never) {
  const target = path.join(workspace, 'x.csv')
  await writeFile(target, 'of last week')
  const environment = { GITHUB_WORKSPACE: workspace }
  const copied = copyIntoWorkspace(source, target, { environment, cancelled })
  return { copied, read: () => readFile(target, 'utf8') }
}

/** A file that never brings a byte, until it is disposed: a pipe whose writer writes nothing. */
async function makeSilentFile({ path: folder }: TemporaryFolder) {
  const file = path.join(folder, 'silent')
  execFileSync('mkfifo', [file])
  const writer = await open(file, 'r+')
  return { file, [Symbol.asyncDispose]: () => writer.close() }
}

describe('the folder of a step', () => {
  it.each([
    [
      'made where the runner names one that is not there yet',
      (temp: string) => path.join(temp, 'a/b'),
    ],
    [
      'an absolute one where the runner names a relative one',
      (temp: string) => path.relative('', temp),
    ],
  ])('is %s', async (_, name) => {
    await using temp = await makeTemporaryFolder()
    const named = name(temp.path)
    const folder = await makeStepFolder({ RUNNER_TEMP: named })
    expect([path.isAbsolute(folder), path.dirname(folder)]).toEqual([true, path.resolve(named)])
    expect(await readdir(folder)).toEqual([])
  })

  it('is the system’s where the runner names none', async () => {
    const folder = await makeStepFolder({ RUNNER_TEMP: ' ' })
    expect(path.dirname(folder)).toBe(tmpdir())
    await rmdir(folder)
  })
})

describe('a copy into the workspace', () => {
  it('takes the place of what was there', async () => {
    await using workspace = await makeTemporaryFolder()
    await using temp = await makeTemporaryFolder()
    const source = path.join(temp.path, 'result')
    await writeFile(source, 'of today')
    const { copied, read } = await copyOver(source, workspace)
    await copied
    expect(await read()).toBe('of today')
    expect(await readdir(workspace.path)).toEqual(['x.csv'])
  })

  it('that fails leaves what was there, and nothing else', async () => {
    await using workspace = await makeTemporaryFolder()
    const { copied, read } = await copyOver(path.join(workspace.path, 'gone'), workspace)
    expect(await rejectionOf(copied)).toMatchObject({ code: 'ENOENT' })
    expect(await read()).toBe('of last week')
    expect(await readdir(workspace.path)).toEqual(['x.csv'])
  })

  onPosix('is given up at once when the step is cancelled', async () => {
    await using workspace = await makeTemporaryFolder()
    await using temp = await makeTemporaryFolder()
    await using silent = await makeSilentFile(temp)
    const cancellation = new AbortController()
    const cancelled = cancellation.signal
    const { copied, read } = await copyOver(silent.file, workspace, cancelled)
    cancellation.abort(new Error('cancelled'))
    expect(await rejectionOf(copied)).toMatchObject({ message: 'cancelled' })
    expect(await read()).toBe('of last week')
    expect(await readdir(workspace.path)).toEqual(['x.csv'])
  })
})
