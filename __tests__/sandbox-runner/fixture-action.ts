import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

/**
 * Makes a small action in a folder of its own. `program` is the source of an ES module. It may import
 * the packages in `toolkit`.
 */
export async function makeAction(program: string): Promise<TemporaryFolder> {
  const file = 'name: Fixture\nruns:\n  using: node24\n  main: main.mjs\n'
  return makeTemporaryFolder({ 'action.yml': file, 'main.mjs': program })
}

const modules = new URL('../../node_modules/', import.meta.url)

/** The address of GitHub's package. A fixture outside the repository cannot import it by name. */
export const toolkit = {
  core: new URL('@actions/core/lib/core.js', modules).href,
}
