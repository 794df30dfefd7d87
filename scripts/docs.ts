// Writes what is made from elsewhere into the documentation: the tables of inputs and outputs, from
// the action.yml files, the transcripts, from the tests' snapshots, and the recipes, from examples/.
// With --check it writes nothing and fails when a page says something else.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readActionFiles, root } from './docs/action-files.ts'
import { readExamples } from './docs/examples.ts'
import { fillBlocks, findDrift } from './docs/fill.ts'
import { prettify } from './docs/pretty.ts'
import { makeBlocks } from './docs/tables.ts'
import { readTranscripts } from './docs/transcripts.ts'

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  await keep('README.md', await prettify(makeBlocks(await readActionFiles())), values.check)
  await keep('docs/reruns.md', await readTranscripts(), values.check)
  const recipes = await readFile(path.join(root, 'docs', 'recipes.md'), 'utf8')
  await keep('docs/recipes.md', await readExamples(recipes), values.check)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** @throws Error where the page differs and is not to be written. */
async function keep(page: string, blocks: ReadonlyMap<string, string>, isCheck: boolean) {
  const file = path.join(root, page)
  const text = await readFile(file, 'utf8')
  const drifted = findDrift(text, blocks)
  if (drifted.length === 0) {
    console.log(`${page} says what it is made from`)
  } else if (isCheck) {
    throw new Error(`${page} has drifted: ${drifted.join(', ')}. Run npm run docs.`)
  } else {
    await writeFile(file, fillBlocks(text, blocks))
    console.log(`${page}: wrote ${drifted.join(', ')}`)
  }
}
