import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A small action in its own folder, removed when disposed. */
export interface FixtureAction extends AsyncDisposable {
  folder: string
}

/**
 * @param program - the action's ESM source. It may import the packages in `toolkit`.
 * @param inputs - the lines below `inputs:` in its `action.yml`
 */
export async function makeAction(program: string, inputs = ''): Promise<FixtureAction> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fixture-action-'))
  const runs = 'runs:\n  using: node24\n  main: main.mjs\n'
  const declared = inputs === '' ? '' : `inputs:\n${inputs}\n`
  await writeFile(path.join(folder, 'action.yml'), `name: Fixture\n${declared}${runs}`)
  await writeFile(path.join(folder, 'main.mjs'), program)
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const modules = new URL('../../node_modules/', import.meta.url)

/** The address of GitHub's package. A fixture outside the repository cannot import it by name. */
export const toolkit = {
  core: new URL('@actions/core/lib/core.js', modules).href,
}
