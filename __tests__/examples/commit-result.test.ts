import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../../scripts/docs/action-files.ts'
import { git } from '../../scripts/test-workflows/checkout.ts'
import { runExampleStep } from '../support/example-step.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const file = 'commit-result.yml'
const workflowSchema = z.object({
  jobs: z.object({
    refresh: z.object({
      steps: z.array(z.object({ with: z.object({ ref: z.string().optional() }).optional() })),
    }),
  }),
})

/** Makes a repository. Returns functions for a push, a run of the workflow, and the result. */
function openRepository(folder: string) {
  const origin = path.join(folder, 'origin')
  git(folder, 'init', '--quiet', '--initial-branch', 'main', origin)
  git(origin, 'config', 'receive.denyCurrentBranch', 'ignore')
  const push = (): string => {
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
    git(origin, ...author, 'commit', '--quiet', '--allow-empty', '--message', 'A push')
    return git(origin, 'rev-parse', 'main').trim()
  }
  /** `pushed`: the commit that actions/checkout uses if the step sets no `ref`. */
  const refresh = async (pushed: string, result: string, meanwhile?: () => unknown) => {
    const content: unknown = parse(await readFile(path.join(root, 'examples', file), 'utf8'))
    const [checkout] = workflowSchema.parse(content).jobs.refresh.steps
    const workspace = path.join(folder, result)
    git(folder, 'init', '--quiet', workspace)
    git(workspace, 'remote', 'add', 'origin', origin)
    git(workspace, 'fetch', '--quiet', '--depth=1', 'origin', checkout?.with?.ref ?? pushed)
    git(workspace, 'checkout', '--quiet', '-B', 'main', 'FETCH_HEAD')
    meanwhile?.()
    const RESULT_FILE = path.join(folder, `${result}.json`)
    await writeFile(RESULT_FILE, `["${result}"]\n`)
    const name = 'Commit the result if it has changed'
    return await runExampleStep({
      file,
      name,
      folder: workspace,
      env: { HOME: folder, RESULT_FILE },
    })
  }
  return { push, refresh, committed: () => git(origin, 'show', 'main:data/series.json') }
}

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('a result that is committed', () => {
  it('replaces the result of the run before in the queue', async () => {
    await using folder = await makeTemporaryFolder()
    const { push, refresh, committed } = openRepository(folder.path)
    const [first, second] = [push(), push()]

    expect(await refresh(first, 'one')).toMatchObject({ exitCode: 0 })
    expect(await refresh(second, 'two')).toMatchObject({ exitCode: 0 })
    expect(committed()).toBe('["two"]\n')
  })

  it('is committed on top of pushes during the run', async () => {
    await using folder = await makeTemporaryFolder()
    const { push, refresh, committed } = openRepository(folder.path)

    expect(await refresh(push(), 'one', push)).toMatchObject({ exitCode: 0 })
    expect(committed()).toBe('["one"]\n')
  })
})
