// `npm run licenses`: what is bundled carries licences that allow it, and says so in licenses.txt.
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { findUnsuited } from './check-licenses/notices.ts'

const root = path.resolve(import.meta.dirname, '..')
let files = 0
for await (const file of glob('dist/**/licenses.txt', { cwd: root })) {
  files += 1
  const problems = findUnsuited(await readFile(path.join(root, file), 'utf8'))
  for (const problem of problems) fail(`${file}: ${problem}`)
}
if (files === 0) fail('dist has no licenses.txt: run npm run build')
else if (process.exitCode === undefined) console.log(`${files} licenses.txt: all licences suit`)

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
