import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A workspace with files of a repository, removed when disposed. */
export interface Checkout extends AsyncDisposable {
  workspace: string
}

/** Makes a workspace. `files`: the content by path, with `/` as separator. */
export async function makeCheckout(files: Record<string, string>): Promise<Checkout> {
  const workspace = await realpath(await mkdtemp(path.join(tmpdir(), 'checkout-')))
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(workspace, file)), { recursive: true })
    await writeFile(path.join(workspace, file), content)
  }
  return {
    workspace,
    [Symbol.asyncDispose]: () => rm(workspace, { recursive: true, force: true, maxRetries: 5 }),
  }
}
