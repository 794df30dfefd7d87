/** Stand-ins for `gh` and for actions of other authors. They record what they were asked for. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { stringify } from 'yaml'
import { z } from 'zod'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** A call of `gh`, or the inputs of another author's action (`uses`). */
const callSchema = z.object({
  command: z.string(),
  inputs: z.record(z.string(), z.string()),
  content: z.string().default(''),
})
type Call = z.infer<typeof callSchema>

export interface StandIns extends AsyncDisposable {
  /** The folder of `gh`. It must be first on PATH. */
  bin: string
  /** The variables of steps that use `gh` or the actions. */
  env: Record<string, string>
  /** The folder of each action that the examples use, by its name and version. */
  actions: Record<string, string>
  calls(): Promise<Call[]>
  /** Sets the answers of `gh` by its command, for example `api repos/…` or `pr view …`. */
  answer(answers: Record<string, unknown>): Promise<undefined>
  /** Writes a JSON file for the tests, and returns its path. */
  write(name: string, value: unknown): Promise<string>
}

const programs = {
  'actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a': 'action.mjs',
  'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c': 'download-artifact.mjs',
  'dorny/test-reporter@a43b3a5f7366b97d083190328d2c652e1a8b6aa2': 'action.mjs',
  'marocchino/sticky-pull-request-comment@5770ad5eb8f42dd2c4f34da00c94c5381e49af88': 'action.mjs',
}
const theirInputs = ['name', 'path', 'pattern', 'overwrite', 'retention-days', 'header', 'number']
const source = (program: string) => path.join(import.meta.dirname, 'stand-ins', program)

export async function openStandIns(): Promise<StandIns> {
  const made = await makeTemporaryFolder({
    'bin/gh': `#!/bin/sh\nexec '${process.execPath}' '${source('gh.mjs')}' "$@"\n`,
    'calls.jsonl': '',
  })
  const at = (name: string) => path.join(made.path, name)
  await chmod(at('bin/gh'), 0o755)
  for (const program of new Set(Object.values(programs))) await writeAction(at(program), program)
  const write = async (name: string, value: unknown) => {
    await writeFile(at(name), JSON.stringify(value))
    return at(name)
  }
  return {
    bin: at('bin'),
    env: { STAND_IN_FOLDER: made.path },
    actions: Object.fromEntries(Object.entries(programs).map(([use, name]) => [use, at(name)])),
    calls: async () => {
      const lines = (await readFile(at('calls.jsonl'), 'utf8')).split('\n').filter(Boolean)
      return lines.map((line) => callSchema.parse(JSON.parse(line)))
    },
    answer: (answers) => write('answers.json', answers).then(() => undefined),
    write,
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  }
}

async function writeAction(folder: string, program: string): Promise<void> {
  const inputs = Object.fromEntries(theirInputs.map((name) => [name, { default: '' }]))
  const runs = { using: 'node24', main: 'main.mjs' }
  await mkdir(folder)
  await writeFile(path.join(folder, 'action.yml'), stringify({ name: 'Stand-in', inputs, runs }))
  // The tool act copies only this folder. So main.mjs imports the program from its own folder, which
  // also has the files that the program imports.
  await writeFile(
    path.join(folder, 'main.mjs'),
    `import '${pathToFileURL(source(program)).href}'\n`,
  )
}
