// `node scripts/release-notes.ts VERSION FILE`: first step of a release. Refuses a version that the
// checkout is not ready for, writes its changes to FILE, and hands commit and major version on.
// Needs no installed packages.
import { spawnSync } from 'node:child_process'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { readRelease } from './release-notes/release.ts'

const root = path.resolve(import.meta.dirname, '..')
const [version = '', target = 'release-notes.md'] = process.argv.slice(2)

try {
  const { notes, major } = readRelease(version, {
    packageJson: await readFile(path.join(root, 'package.json'), 'utf8'),
    versionSource: await readFile(path.join(root, 'src', 'version.ts'), 'utf8'),
    changelog: await readFile(path.join(root, 'CHANGELOG.md'), 'utf8'),
    tags: git('tag', '--list').split('\n'),
  })
  await writeFile(target, `${notes}\n`)
  const outputs = `commit=${git('rev-parse', 'HEAD').trim()}\nmajor=${major}\n`
  const outputFile = process.env['GITHUB_OUTPUT']
  if (outputFile !== undefined) await appendFile(outputFile, outputs)
  console.log(`${outputs}\n${notes}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout
}
