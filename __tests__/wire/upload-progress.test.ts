import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  openArtifactService,
  type ArtifactFault,
  type ArtifactService,
} from '../../sandbox/runner/artifact-service.ts'
import { StorageThread } from '../../src/runner/storage/storage-thread.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../action/support/until.ts'

const megabyte = 1024 * 1024
const workerFile = path.join(process.env['BUNDLES_UNDER_TEST'] ?? '', 'storage', 'index.js')

/** Time that passes by `advance` alone, and counts how often someone looks at it. */
class WatchedClock extends SimulatedClock {
  looks = 0
  override now(): number {
    this.looks += 1
    return super.now()
  }
}

describe('an upload by GitHub’s own client', () => {
  let folder: TemporaryFolder
  let service: ArtifactService
  let environment: NodeJS.ProcessEnv
  beforeAll(async () => {
    folder = await makeTemporaryFolder()
    service = await openArtifactService()
    environment = {
      ...process.env,
      ACTIONS_RESULTS_URL: service.url,
      ACTIONS_RUNTIME_TOKEN: service.token,
    }
    await writeFile(path.join(folder.path, 'export.bin'), randomBytes(20 * megabyte))
    await writeFile(path.join(folder.path, 'small.bin'), randomBytes(1024))
  })
  afterAll(async () => {
    await service.close()
    await folder[Symbol.asyncDispose]()
  })

  /** `fault` gets the clock. */
  async function upload(
    name: string,
    fault: (clock: WatchedClock) => ArtifactFault,
    file = 'small.bin',
  ) {
    const clock = new WatchedClock({ longestJump: 0 })
    service.inject(fault(clock))
    await using uploader = new StorageThread({
      workerFile,
      environment,
      clock,
      cancelled: new AbortController().signal,
      debug: () => undefined,
      mask: () => undefined,
    })
    const files = [path.join(folder.path, file)]
    const report = await uploader.upload({ name, files, folder: folder.path, retentionDays: 1 })
    return { report, elapsed: clock.elapsed }
  }

  it('goes on for as long as bytes move, slow as they may be', async () => {
    const slowly = (clock: WatchedClock): ArtifactFault => {
      let seen = 0
      const until50SecondsPassed = async () => {
        // The thread has told of the bytes of this block.
        await until(() => clock.looks > seen)
        await clock.advance(50_000)
        seen = clock.looks
      }
      return { on: 'blob', fault: 'pause', until: until50SecondsPassed, times: 3 }
    }
    // 20 MB, in three blocks.
    const { report, elapsed } = await upload('slow', slowly, 'export.bin')
    expect(report).toMatchObject({ kind: 'uploaded', id: 4242 })
    expect(elapsed).toBe(150_000)
  })

  it('is given up when none has moved for a minute', async () => {
    const { report } = await upload('stalled', (clock) => {
      const forever = async () => {
        await clock.advance(3_600_000)
        await new Promise<never>(() => undefined)
      }
      return { on: 'blob', fault: 'pause', until: forever, times: 1 }
    })
    expect(report).toMatchObject({ kind: 'failed', name: 'TimeUp' })
  })

  it.each([
    ['', /^the store answered 403$/],
    ['<Error><Message>Expired</Message></Error>', /^the store answered 403 \(.*Expired/s],
  ])('names the status where the store refuses with %j', async (body, words) => {
    const headers = { 'content-type': 'application/xml' }
    const fault = { on: 'blob', fault: 'status', status: 403, body, headers, times: 1 } as const
    const { report } = await upload('refused', () => fault)
    expect(report).toMatchObject({ kind: 'failed', message: expect.stringMatching(words) })
  })
})
