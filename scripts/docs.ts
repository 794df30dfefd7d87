// Writes the tables of inputs and outputs into README.md, from the action.yml files.
// With --check it writes nothing and fails when the README says something else.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readActionFiles, root } from './docs/action-files.ts'
import { fillBlocks, findDrift } from './docs/fill.ts'
import { prettify } from './docs/pretty.ts'
import { makeBlocks } from './docs/tables.ts'

const readme = path.join(root, 'README.md')

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const text = await readFile(readme, 'utf8')
  const blocks = await prettify(makeBlocks(await readActionFiles()))
  const drifted = findDrift(text, blocks)
  if (drifted.length === 0) console.log('README.md says what the action.yml files say')
  else if (values.check) {
    throw new Error(`README.md has drifted: ${drifted.join(', ')}. Run npm run docs.`)
  } else {
    await writeFile(readme, fillBlocks(text, blocks))
    console.log(`README.md: wrote ${drifted.join(', ')}`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
