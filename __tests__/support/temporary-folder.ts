import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

export interface TemporaryFolder extends AsyncDisposable {
  path: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Makes a folder, which is removed at the end of the caller's scope. `files`: their texts by path. */
export async function makeTemporaryFolder(
  files: Record<string, string | Buffer> = {},
): Promise<TemporaryFolder> {
  // On macOS, the path of the temporary folder contains a symbolic link.
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'run-automation-')))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), content)
  }
  return {
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
