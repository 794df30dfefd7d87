// `node scripts/release-notes.ts VERSION FILE` is the first step of a release. It refuses a version for
// which the checkout is not ready. Otherwise, it writes the changes of the version to FILE, and outputs
// the commit and the major version. It needs no installed packages.
import { spawnSync } from 'node:child_process'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

if (import.meta.main) await main(process.argv.slice(2))

async function main([version = '', target = 'release-notes.md']: string[]): Promise<void> {
  try {
    const { notes, major } = readRelease(version, {
      packageJson: await readFile(path.join(root, 'package.json'), 'utf8'),
      versionSource: await readFile(path.join(root, 'src', 'version.ts'), 'utf8'),
      changelog: await readFile(path.join(root, 'CHANGELOG.md'), 'utf8'),
      tags: git('tag', '--list').split('\n'),
    })
    const commit = git('rev-parse', 'HEAD').trim()
    await writeFile(target, `${notes}\n\n${howToPin(version, commit)}\n`)
    const outputs = `commit=${commit}\nmajor=${major}\n`
    const outputFile = process.env['GITHUB_OUTPUT']
    if (outputFile !== undefined) await appendFile(outputFile, outputs)
    console.log(`${outputs}\n${notes}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** Returns the example that shows how to pin a version, with the commit of this version. */
export function howToPin(version: string, commit: string): string {
  return `To pin this version:

\`\`\`yaml
- uses: run-automation/run-automation@${commit} # v${version}
\`\`\``
}

/** The parts of a checkout that must agree on a release. */
export interface ReleaseParts {
  packageJson: string
  versionSource: string
  changelog: string
  tags: string[]
}

/**
 * Returns the version's section of the changelog, and the major version.
 *
 * @throws Error with all reasons why this version cannot be released.
 */
export function readRelease(
  version: string,
  parts: ReleaseParts,
): { notes: string; major: string } {
  const { packageJson, versionSource, changelog, tags } = parts
  const [, major] = /^(\d+)\.\d+\.\d+$/.exec(version) ?? []
  if (major === undefined) throw new Error(`${version} is no version like 1.4.0`)
  const notes = sectionOf(changelog, version)
  const { version: packaged } = JSON.parse(packageJson) as { version?: unknown }
  const problems = [
    packaged !== version && `package.json says ${String(packaged)}`,
    !versionSource.includes(`version = '${version}'`) && 'src/version.ts says another version',
    notes === '' && `CHANGELOG.md has no section "## [${version}] - <date>" with changes in it`,
    !versionSource.includes(`ref = 'v${major}'`) &&
      `src/version.ts names another ref: write v${major}, and run npm run docs`,
    tags.includes(`v${version}`) && `the tag v${version} already exists`,
  ].filter((problem) => problem !== false)
  if (problems.length > 0) throw new Error(`${version} cannot be released: ${problems.join('; ')}`)
  return { notes, major }
}

function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m)
  const heading = new RegExp(
    String.raw`^\[${version.replaceAll('.', '\\.')}\] - \d{4}-\d\d-\d\d\r?\n`,
  )
  const section = sections.find((text) => heading.test(text)) ?? ''
  // The last section is followed by the links of the whole file.
  return section
    .replace(heading, '')
    .replaceAll(/^\[[^\]]+\]: .*$/gm, '')
    .trim()
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout
}
