import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { publishArtifact } from '../../src/runner/artifact/publish-artifact.ts'
import type { UploadOrder, UploadReport } from '../../src/runner/artifact/protocol.ts'
import { StorageThread } from '../../src/runner/storage/storage-thread.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'upload-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const receive = "import { parentPort } from 'node:worker_threads'; parentPort.once('message', "
const order: UploadOrder = { name: 'report', files: [], folder: '', retentionDays: undefined }

const never = new AbortController().signal
// Time does not pass there; with the other it does whenever nothing else happens here.
const stopped = new SimulatedClock({ longestJump: 0 })
const fast = () => new SimulatedClock()

/** An uploader whose worker does `program` once it gets its order. */
async function makeUploader(program: string, { clock = stopped, cancelled = never } = {}) {
  const name = `${crypto.randomUUID()}.mjs`
  const workerFile = path.join(folder, name)
  await writeFile(workerFile, `${receive}${program})`)
  const debug: string[] = []
  const masks: string[] = []
  const relay = {
    debug: (line: string) => debug.push(line),
    mask: (value: string) => masks.push(value),
  }
  const context = { workerFile, environment: process.env, cancelled, clock, ...relay }
  return { uploader: new StorageThread(context), debug, masks }
}

describe('an upload', () => {
  it.each(['() => setInterval(() => {}, 1000)', '() => { for (;;); }'])(
    'that makes no progress for a minute is given up: %s',
    async (program) => {
      const clock = fast()
      const { uploader } = await makeUploader(program, { clock })
      const report = await uploader.upload(order)
      expect(report).toEqual({ kind: 'failed', name: 'TimeUp', message: 'no progress for 1 min' })
      expect(clock.elapsed).toBe(60_000)
    },
  )

  it('is given up at once when the step is cancelled', async () => {
    const cancelled = AbortSignal.abort()
    const { uploader } = await makeUploader('() => setInterval(() => {}, 1000)', { cancelled })
    const report = await uploader.upload(order)
    expect(report).toEqual({ kind: 'failed', name: 'Cancelled', message: 'cancelled' })
  })

  it.each([
    ['dies', '() => process.exit(0)', 'the storage client ended without an answer'],
    ['throws', "() => { throw new Error('broken') }", 'broken'],
  ])('whose thread %s has failed', async (_, program, message) => {
    const { uploader } = await makeUploader(program)
    expect(await uploader.upload(order)).toMatchObject({ kind: 'failed', message })
  })

  it('hands on what the client asks to mask, and keeps its lines for debugging', async () => {
    const lines = ['::add-mask::sig=a%25b', '::debug::one%0Atwo', 'Uploading']
    const print = `process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)})`
    const report = `{ id, kind: 'report', report: { kind: 'uploaded', id: 1 } }`
    const program = `({ id }) => { ${print}; setTimeout(() => parentPort.postMessage(${report}), 50) }`
    const { uploader, debug, masks } = await makeUploader(program)
    expect(await uploader.upload(order)).toMatchObject({ kind: 'uploaded', id: 1 })
    expect(masks).toEqual(['sig=a%b'])
    expect(debug).toEqual(['storage client: one\ntwo', 'storage client: Uploading'])
  })
})

it('an artifact of a file that is gone meanwhile is none', async () => {
  const gone: UploadReport = { kind: 'failed', name: 'Error', message: 'no such file' }
  const upload = () => Promise.resolve(gone)
  const outcome = await publishArtifact({ ...order, files: ['gone.bin'] }, { upload }, {})
  expect(outcome).toEqual({ kind: 'failed', why: 'no such file' })
})
