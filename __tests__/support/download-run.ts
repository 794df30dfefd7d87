import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { Deadline } from '../../src/clock.ts'
import { download, type DownloadContext } from '../../src/download/download.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { type CountingStore, realStore } from './store-clients.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const hour = 3_600_000

type Given = Partial<DownloadContext & { cancelled: AbortSignal }>

/** Returns a step that has an hour left for downloads, unless `timeLeft` says otherwise. */
export function downloadStep({ cancelled = neverAborts, ...given }: Given = {}, timeLeft = hour) {
  // The clock skips the pauses between two tries. The test must skip longer spans.
  const { clock = new SimulatedClock({ maxJump: 10_000 }) } = given
  const limit = new Deadline(clock, timeLeft, cancelled, 'the time of the test is over')
  const context: DownloadContext = {
    store: realStore(),
    clock,
    random: () => 1,
    limit,
    onDownload: () => undefined,
    ...given,
  }
  return { context, [Symbol.dispose]: () => limit[Symbol.dispose]() }
}

/** Fetches a file named `result`. `linkFor` returns the first link, the second, and so on. */
export async function fetchResult(
  linkFor: (time: number) => string | Promise<string>,
  given: Given = {},
) {
  await using folder = await makeTemporaryFolder()
  using step = downloadStep(given)
  let links = 0
  const nextLink = async () => linkFor(++links)
  const kept = await download('result', nextLink, folder.path, step.context)
  const bytes = kept.kind === 'file' ? await readFile(kept.path) : undefined
  return { kept, text: bytes?.toString('utf8'), onDisk: await readdir(folder.path), links }
}

/** Sends these bytes of an answer, and breaks the connection when the client has processed them. */
export function cut(response: ServerResponse, bytes: Buffer | string, client: CountingStore): void {
  response.write(bytes)
  void client.whenTaken(Buffer.byteLength(bytes)).then(() => response.destroy())
}
