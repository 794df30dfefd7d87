// `npm run docs` writes generated text into the documentation: the inputs and outputs of the action.yml
// files, and the annotations. With --check, it writes nothing and fails if a page is out of date.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { root } from './docs/action-files.ts'
import { readPages } from './docs/pages.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const drifted = (await readPages()).filter(({ text, made }) => text !== made)
for (const { file, made } of drifted) {
  console.log(values.check ? `${file} is out of date: run npm run docs` : `${file}: written`)
  if (!values.check) await writeFile(path.join(root, file), made)
}
if (values.check && drifted.length > 0) process.exitCode = 1
