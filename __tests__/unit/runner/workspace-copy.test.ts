import { execFileSync } from 'node:child_process'
import { mkdir, open, readdir, readFile, realpath, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { messageOf } from '../../../src/errors.ts'
import { resolveTarget } from '../../../src/runner/files.ts'
import { copyIntoWorkspace, makeStepFolder } from '../../../src/runner/workspace.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

const never = new AbortController().signal
const onPosix = process.platform === 'win32' ? it.skip : it

async function copyOver(source: string, { path: workspace }: TemporaryFolder, cancelled = never) {
  const target = path.join(workspace, 'x.csv')
  await writeFile(target, 'of last week')
  const environment = { GITHUB_WORKSPACE: workspace }
  const copied = copyIntoWorkspace(source, target, { environment, cancelled })
  return { copied, read: () => readFile(target, 'utf8') }
}

/** Makes a pipe whose writer never writes, so that reading the pipe never ends. */
async function makeSilentFile({ path: folder }: TemporaryFolder) {
  const file = path.join(folder, 'silent')
  execFileSync('mkfifo', [file])
  const writer = await open(file, 'r+')
  return { file, [Symbol.asyncDispose]: () => writer.close() }
}

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

it('a folder that another step makes meanwhile is not taken for a symbolic link', async () => {
  await using workspace = await makeTemporaryFolder()
  for (let turn = 0; turn < 20; turn += 1) {
    const folder = path.join(workspace.path, `new-${turn}`)
    const resolved = resolveTarget(folder, workspace.path).catch(messageOf)
    // The folder is made right after the step has looked for it and not found it.
    const made = realpath(workspace.path).then(() => mkdir(folder))
    expect(await resolved).not.toContain('symbolic link')
    await made
  }
})

describe('a copy into the workspace', () => {
  it('replaces an existing file', async () => {
    await using workspace = await makeTemporaryFolder()
    await using temp = await makeTemporaryFolder()
    const source = path.join(temp.path, 'result')
    await writeFile(source, 'of today')
    const { copied, read } = await copyOver(source, workspace)
    await copied
    expect(await read()).toBe('of today')
    expect(await readdir(workspace.path)).toEqual(['x.csv'])
  })

  it('that fails keeps the older file, and adds none', async () => {
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
