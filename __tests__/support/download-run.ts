import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { download, type DownloadContext } from '../../src/download/download.ts'
import type { NextLink } from '../../src/download/link-retry.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { type CountingStore, realStore } from './store-clients.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const hour = 3_600_000

/** Returns a clock that skips the pauses between two links. The test must skip longer spans. */
const clockForDownloads = () => new SimulatedClock({ maxJump: 5_000 })

/** Returns a step that has an hour left and is not cancelled, unless `given` says otherwise. */
export function downloadContext(given: Partial<DownloadContext> = {}): DownloadContext {
  const clock = given.clock ?? clockForDownloads()
  const deadline = clock.now() + hour
  return {
    store: realStore(),
    clock,
    deadline,
    cancelled: neverAborts,
    ...given,
  }
}

/** Fetches a file named `result`. `linkFor` returns the first link, the second, and so on. */
export async function fetchResult(
  linkFor: (time: number, signal: AbortSignal) => string | null | Promise<string | null>,
  given: Partial<DownloadContext> = {},
) {
  await using folder = await makeTemporaryFolder()
  let links = 0
  const nextLink: NextLink = async (signal) => linkFor(++links, signal)
  const target = { folder: folder.path, name: 'result' }
  const kept = await download(nextLink, target, downloadContext(given))
  const bytes = kept.kind === 'file' ? await readFile(kept.path) : undefined
  return { kept, text: bytes?.toString('utf8'), onDisk: await readdir(folder.path), links }
}

/** Sends these bytes of an answer, and breaks the connection when the client has processed them. */
export function cut(response: ServerResponse, bytes: Buffer | string, client: CountingStore): void {
  response.write(bytes)
  void client.whenTaken(Buffer.byteLength(bytes)).then(() => response.destroy())
}
