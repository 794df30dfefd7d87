import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { filesBelow } from '../action/support/facts.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { git } from './harness/checkout.ts'
import { describeSteps, runStep } from './harness/workflow.ts'

const hostileNames = ['docs/a b.md', 'docs/it\'s "quoted".md', 'docs/line\nbreak $(id) `id`.md']

/** Makes two commits. The second adds `names` and another file, and removes `docs/old.md`. */
async function makeRepository(folder: string, names: string[]) {
  const write = (name: string) => writeFile(path.join(folder, name), name)
  const commit = (message: string) => {
    git(folder, 'add', '--all')
    git(folder, '-c', 'user.name=t', '-c', 'user.email=t@e', 'commit', '-q', '-m', message)
    return git(folder, 'rev-parse', 'HEAD').trim()
  }
  await mkdir(path.join(folder, 'docs'))
  git(folder, 'init', '--quiet')
  for (const name of ['docs/old.md', 'docs/same.md']) await write(name)
  const before = commit('before')
  for (const name of [...names, 'elsewhere.md']) await write(name)
  await rm(path.join(folder, 'docs/old.md'))
  return { before, after: commit('after') }
}

async function seedOf(names: string[], from?: string) {
  await using workspace = await makeTemporaryFolder()
  await using temp = await makeTemporaryFolder()
  const { before, after } = await makeRepository(workspace.path, names)
  const env = {
    BEFORE: from ?? before,
    SEED_FILE: path.join(temp.path, 'seed'),
    GITHUB_SHA: after,
  }
  const given = { workspace: workspace.path, env }
  const { exitCode, outputs } = await runStep('seed-from-changes.yml', 'Write the seed', given)
  const { seed } = await filesBelow(temp.path)
  return { exitCode, seed: JSON.parse(String(seed)) as unknown, outputs }
}

describeSteps('a seed from changed files', () => {
  it('names the files below docs that the push has changed, whatever their names', async () => {
    expect(await seedOf(hostileNames)).toEqual({
      exitCode: 0,
      seed: { files: hostileNames },
      outputs: { count: '3' },
    })
  })

  it('is empty if files were only removed', async () => {
    expect(await seedOf([])).toMatchObject({ seed: { files: [] }, outputs: { count: '0' } })
  })

  it('names all files for a push that was forced', async () => {
    const { exitCode, seed } = await seedOf(['docs/a.md'], 'a'.repeat(40))
    expect([exitCode, seed]).toEqual([0, { files: ['docs/a.md', 'docs/same.md'] }])
  })
})
