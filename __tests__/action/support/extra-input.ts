/** A copy of the root action that has one input more, run from its sources. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readActionFile } from '../../../sandbox/runner/action-file.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** An action in a folder of its own, removed when disposed. */
export interface ChangedAction extends AsyncDisposable {
  folder: string
}

/** `name` is added in two places: to `action.yml`, and to the schema, declared as `api-key` is. */
export async function makeActionWithInput(name: string): Promise<ChangedAction> {
  const folder = await mkdtemp(path.join(tmpdir(), 'extra-input-'))
  for (const copied of ['src', 'action.yml', 'package.json']) {
    await cp(path.join(root, copied), path.join(folder, copied), { recursive: true })
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  await replace(
    path.join(folder, 'action.yml'),
    /^inputs:$/m,
    `inputs:\n  ${name}:\n    description: One more\n    required: true`,
  )
  const schema = path.join(folder, 'src', 'runner', 'inputs', 'connection.ts')
  await replace(schema, /^ {2}'api-key': (.+),$/m, `$&\n  '${name}': $1,`)
  await placePrograms(folder)
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

async function replace(file: string, pattern: RegExp, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!pattern.test(text)) throw new Error(`${file} has no ${String(pattern)}`)
  await writeFile(file, text.replace(pattern, replacement))
}

/** Node runs the entry unbuilt; the upload worker, which reads no input, is the bundled one. */
async function placePrograms(folder: string): Promise<void> {
  const dist = path.join(folder, 'dist')
  await mkdir(path.join(dist, 'run'), { recursive: true })
  const entry = path.join(dist, 'run', 'index.js')
  await writeFile(entry, "import '../../src/entries/run.ts'\n")
  const bundles = path.dirname(path.dirname((await readActionFile('.')).main))
  await cp(path.join(bundles, 'storage'), path.join(dist, 'storage'), { recursive: true })
}
