// `npm run licenses` checks that the licences of all bundled packages allow bundling, and are in
// licenses.txt.
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'

// Licences that allow bundling under this repository's own licence. MIT/X11 is an old name of MIT.
const suited = new Set(
  'MIT MIT-0 MIT/X11 ISC 0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause Unlicense CC0-1.0 BlueOak-1.0.0 Zlib Python-2.0'.split(
    ' ',
  ),
)

if (import.meta.main) await checkBundles(path.resolve(import.meta.dirname, '..'))

async function checkBundles(root: string): Promise<void> {
  const problems: string[] = []
  let files = 0
  for await (const file of glob('dist/**/licenses.txt', { cwd: root })) {
    files += 1
    const found = findUnsuited(await readFile(path.join(root, file), 'utf8'))
    problems.push(...found.map((problem) => `${file}: ${problem}`))
  }
  if (files === 0) problems.push('dist has no licenses.txt: run npm run build')
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`${files} licenses.txt: all licences allow bundling`)
}

/**
 * Returns one line for each package in a bundle's notices whose licence does not allow bundling.
 * The notices (`licenses.txt`) have a paragraph `name version` and `License: …` for each package.
 */
export function findUnsuited(notices: string): string[] {
  const packages = [...notices.matchAll(/^(\S+ \S+)\r?\nLicense: (.*)$/gm)]
  if (packages.length === 0) return ['found no package. Has the format of the notices changed?']
  return packages
    .filter(([, , license = '']) => !suits(license))
    .map(([, name = '', license = '']) => {
      return `${name} is under ${license.trim().replace(/^(undefined)?$/, 'no licence')}`
    })
}

/** Reads an SPDX expression with OR and AND. One suitable alternative is enough. */
function suits(expression: string): boolean {
  const alternatives = expression
    .trim()
    .replaceAll(/[()]/g, '')
    .split(/\s+OR\s+/)
  return alternatives.some((names) => names.split(/\s+AND\s+/).every((name) => suited.has(name)))
}
