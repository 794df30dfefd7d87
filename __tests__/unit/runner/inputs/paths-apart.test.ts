import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod/mini'
import { findOverwrites } from '../../../../src/runner/inputs/paths-apart.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

/** The workspace has the file `kept/seeds.json`, and `link`, which is a symbolic link to `kept`. */
async function overwritesOf(given: Record<string, string>, unsound: string[] = []) {
  await using workspace = await makeTemporaryFolder()
  await mkdir(path.join(workspace.path, 'kept'))
  await writeFile(path.join(workspace.path, 'kept', 'seeds.json'), '[]')
  await symlink('kept', path.join(workspace.path, 'link'), 'junction')
  const fields = Object.entries(given).map(([name, text]) => ({ name, schema: z.string(), text }))
  const problems = await findOverwrites(fields, new Set(unsound), workspace.path)
  return problems.map(({ name, message }) => `${name}: ${message}`)
}

describe('two written paths', () => {
  it.each([
    ['out/a', 'out/a', false],
    ['out/a', 'OUT/A', false],
    ['out', 'out/a', false],
    ['out/a', 'out', false],
    ['out/a', 'out/ab', true],
    ['out/a', 'out/b', true],
    ['out', 'out.xml', true],
    ['kept/new', 'link/new', false],
    ['kept', 'link/results.jsonl', false],
  ])('%s and %s: both can be written is %s', async (one, other, expected) => {
    const given = { 'results-folder': one, 'junit-file': other }
    const problem =
      'junit-file: is, contains or lies in results-folder, and could overwrite it; give another path'
    expect(await overwritesOf(given)).toEqual(expected ? [] : [problem])
  })

  it('are not compared if one of them has another problem', async () => {
    const given = { 'save-result-as': 'out/', 'save-log-as': 'out/a' }
    expect(await overwritesOf(given, ['save-result-as'])).toEqual([])
  })
})

describe('a file that the step reads', () => {
  it.each([
    ['seed-file', 'save-result-as', 'kept/seeds.json', false],
    ['result-schema', 'save-log-as', ' link/seeds.json ', false],
    ['seeds-file', 'junit-file', 'KEPT/seeds.json', false],
    ['seeds-file', 'results-folder', 'kept', false],
    ['seeds-file', 'results-folder', 'link', false],
    ['seeds-file', 'results-folder', 'kept/results', true],
    ['seeds-file', 'junit-file', 'kept/seeds.xml', true],
  ])('%s with %s: %s does not overwrite it is %s', async (input, target, file, expected) => {
    const given = { [target]: file, [input]: 'kept/seeds.json' }
    const problem = `${target}: is, contains or lies in ${input}, and could overwrite it; give another path`
    // The result is the same if the input itself has another problem.
    expect(await overwritesOf(given, [input])).toEqual(expected ? [] : [problem])
  })

  it('does not exist if the schema is given inline', async () => {
    const given = { 'result-schema': '{"type": "array"}', 'results-folder': 'kept' }
    expect(await overwritesOf(given)).toEqual([])
  })
})
