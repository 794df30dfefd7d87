import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { git } from '../../scripts/test-workflows/checkout.ts'
import { runExampleStep } from '../support/example-step.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

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

async function seedOf(names: string[], given?: string) {
  await using workspace = await makeTemporaryFolder()
  await using temp = await makeTemporaryFolder()
  const { before, after } = await makeRepository(workspace.path, names)
  const [seedFile, outputs] = [path.join(temp.path, 'seed'), path.join(temp.path, 'outputs')]
  const { exitCode } = await runExampleStep({
    file: 'seed-from-changes.yml',
    name: 'Write the seed',
    env: {
      BEFORE: given ?? before,
      SEED_FILE: seedFile,
      GITHUB_SHA: after,
      GITHUB_OUTPUT: outputs,
    },
    folder: workspace.path,
  })
  const seed: unknown = JSON.parse(await readFile(seedFile, 'utf8'))
  return { exitCode, seed, outputs: await readFile(outputs, 'utf8') }
}

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('a seed from changed files', () => {
  it('names the files below docs that the push has changed, whatever their names', async () => {
    expect(await seedOf(hostileNames)).toEqual({
      exitCode: 0,
      seed: { files: hostileNames },
      outputs: 'count=3\n',
    })
  })

  it('is empty if files were only removed', async () => {
    expect(await seedOf([])).toMatchObject({ seed: { files: [] }, outputs: 'count=0\n' })
  })

  it('names all files for a push that was forced', async () => {
    const { exitCode, seed } = await seedOf(['docs/a.md'], 'a'.repeat(40))
    expect([exitCode, seed]).toEqual([0, { files: ['docs/a.md', 'docs/same.md'] }])
  })
})
