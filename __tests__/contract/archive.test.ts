/**
 * For `uses:`, a runner downloads the archive of a commit, without the files that .gitattributes
 * excludes. These tests check the archive of the last commit.
 */
import { execFile } from 'node:child_process'
import { access, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { actionFiles, readActionFiles, root } from '../../scripts/docs/action-files.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const maxSize = 1_050_000

let unpacked: TemporaryFolder
let archiveSize = 0

beforeAll(async () => {
  unpacked = await makeTemporaryFolder()
  const archive = path.join(unpacked.path, 'archive.tar.gz')
  await run('git', ['archive', '--format=tar.gz', `--output=${archive}`, 'HEAD'], { cwd: root })
  archiveSize = (await stat(archive)).size
  await run('tar', ['xzf', 'archive.tar.gz'], { cwd: unpacked.path })
})

afterAll(() => unpacked[Symbol.asyncDispose]())

describe('the archive that a runner downloads', () => {
  it('is small, and contains nothing that only development needs', async () => {
    const names = await readdir(unpacked.path)

    expect(archiveSize).toBeLessThan(maxSize)
    expect(names.toSorted()).toEqual(
      [
        ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'action.yml', 'archive.tar.gz'],
        ...['batch', 'create-project', 'dist', 'package.json', 'start', 'wait'],
      ].toSorted(),
    )
  })

  it('contains the program of each action, and every chunk that a program loads', async () => {
    const actions = await readActionFiles()
    const mains = Object.entries(actionFiles).map(([name, file]) =>
      path.join(unpacked.path, path.dirname(file), actions[name as keyof typeof actions].runs.main),
    )
    for (const main of mains) await access(main)

    const dist = path.join(unpacked.path, 'dist')
    const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.js'))
    expect(files.length).toBeGreaterThan(mains.length)
    for (const file of files.map((name) => path.join(dist, name))) {
      // ncc turns `import()` into the number of a chunk beside the bundle.
      for (const [, chunk = ''] of (await readFile(file, 'utf8')).matchAll(/\.e\((\d+)\)/g)) {
        await access(path.join(path.dirname(file), `${chunk}.index.js`))
      }
    }
  })

  it('runs unchanged: its action starts an automation, waits, and uploads the artifact', async () => {
    await using sandbox = await openSandbox()
    await using step = await runStep({
      action: unpacked.path,
      inputs: {
        'base-url': sandbox.baseUrl,
        'api-token': sandbox.apiToken,
        'api-key': sandbox.apiKey,
        project: 'demo',
        automation: 'echo',
        seed: '{"n":1}',
        'poll-interval': '100ms',
      },
    })

    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(step.outputs).toMatchObject({ conclusion: 'success', result: '{"n":1}' })
    expect(step.artifacts).toHaveLength(1)
  })
})
