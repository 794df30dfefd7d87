import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeCheckout } from './support/checkout.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

// Windows has no pipes in folders, and symbolic links need a permission there.
const onPosix = process.platform === 'win32' ? describe.skip : describe

describe('save-result-as', () => {
  it.each(['broken-report', 'crashing-import'])(
    'keeps the last good result when %s fails; save-log-as is written',
    async (automation) => {
      await using sandbox = await openSandbox()
      await using checkout = await makeCheckout({ 'data/x.csv': 'of last week' })
      const { workspace } = checkout
      const inputs = { 'save-result-as': 'data/x.csv', 'save-log-as': 'data/run.log' }
      await using step = await runAction({ sandbox, automation, inputs, workspace })
      expect(step.exitCode).toBe(1)
      expect(await readFile(path.join(workspace, 'data/x.csv'), 'utf8')).toBe('of last week')
      expect(await readFile(path.join(workspace, 'data/run.log'), 'utf8')).not.toBe('')
    },
  )
})

// The user root can write to a read-only folder.
const notAsRoot = process.getuid?.() === 0 ? it.skip : it

notAsRoot('a read-only folder is an input error, too', async () => {
  await using sandbox = await openSandbox()
  await using checkout = await makeCheckout({ 'folder/file': '' })
  await chmod(path.join(checkout.workspace, 'folder'), 0o500)
  const inputs = { 'save-log-as': 'folder/deep/run.log' }
  await using step = await runAction({ sandbox, inputs, workspace: checkout.workspace })
  await chmod(path.join(checkout.workspace, 'folder'), 0o700)
  expect([step.exitCode, sandbox.requests]).toEqual([1, []])
  expect(theError(step).message).toMatch(/^save-log-as: .*: permission denied/)
})

onPosix('a symbolic link', () => {
  it('that leads out of the workspace: no file is written, and nothing is started', async () => {
    await using sandbox = await openSandbox()
    await using outside = await makeTemporaryFolder()
    await using checkout = await makeCheckout({})
    await symlink(outside.path, path.join(checkout.workspace, 'out'))
    const inputs = { 'save-log-as': 'out/deep/er/run.log' }
    await using step = await runAction({ sandbox, inputs, workspace: checkout.workspace })
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    expect(theError(step).message).toContain('a symbolic link leads out of the workspace')
    expect(await readdir(outside.path)).toEqual([])
  })

  it('that stays inside the workspace: its target is written, and the link stays', async () => {
    await using sandbox = await openSandbox()
    await using checkout = await makeCheckout({ 'real/latest.txt': 'old' })
    const { workspace } = checkout
    await mkdir(path.join(workspace, 'links'))
    await symlink('../real/latest.txt', path.join(workspace, 'links/result'))
    await symlink('real', path.join(workspace, 'folder'))
    const inputs = { 'save-result-as': 'links/result', 'save-log-as': 'folder/new/run.log' }
    await using step = await runAction({ sandbox, inputs, workspace })
    expect(step.exitCode).toBe(0)
    expect(await readFile(path.join(workspace, 'real/latest.txt'), 'utf8')).toMatch(/^All 12/)
    expect(await readdir(path.join(workspace, 'real/new'))).toEqual(['run.log'])
    expect(await readdir(path.join(workspace, 'links'))).toEqual(['result'])
  })
})

onPosix('a pipe', () => {
  it('is refused as a target, because nothing may ever read from the pipe', async () => {
    await using sandbox = await openSandbox()
    await using checkout = await makeCheckout({})
    execFileSync('mkfifo', [path.join(checkout.workspace, 'pipe')])
    const inputs = { 'save-log-as': 'pipe' }
    await using step = await runAction({ sandbox, inputs, workspace: checkout.workspace })
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    expect(theError(step).message).toMatch(/^save-log-as: .*: not a regular file/)
  })
})
