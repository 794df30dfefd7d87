import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

export interface TemporaryFolder extends AsyncDisposable {
  path: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Makes an empty folder, which is removed at the end of the caller's scope. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'run-automation-'))
  return {
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
