import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { publishArtifact } from '../../src/github/artifact/publish-artifact.ts'
import type { UploadOrder, UploadReport } from '../../src/github/artifact/protocol.ts'
import { Uploader } from '../../src/github/artifact/uploader.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'upload-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const receive = "import { parentPort } from 'node:worker_threads'; parentPort.once('message', "
const order: UploadOrder = { name: 'report', files: [], folder: '', retentionDays: undefined }

/** An uploader whose worker does `program` once it gets its order. */
async function makeUploader(program: string, cancelled = new AbortController().signal) {
  const name = `${crypto.randomUUID()}.mjs`
  const workerFile = path.join(folder, name)
  await writeFile(workerFile, `${receive}${program})`)
  const debug: string[] = []
  const masks: string[] = []
  const relay = {
    debug: (line: string) => debug.push(line),
    mask: (value: string) => masks.push(value),
  }
  return { uploader: new Uploader({ workerFile, cancelled, ...relay }), debug, masks }
}

describe('an upload', () => {
  it('that stalls is given up when its bound is over', async () => {
    const { uploader } = await makeUploader('() => setInterval(() => {}, 1000)')
    const report = await uploader.upload(order, 50)
    expect(report).toMatchObject({ kind: 'failed', name: 'TimeUp' })
  })

  it('that stalls without giving way is given up all the same', async () => {
    const { uploader } = await makeUploader('() => { for (;;); }')
    expect(await uploader.upload(order, 50)).toMatchObject({ kind: 'failed', name: 'TimeUp' })
  })

  it('is given up at once when the step is cancelled', async () => {
    const cancelled = AbortSignal.abort()
    const { uploader } = await makeUploader('() => setInterval(() => {}, 1000)', cancelled)
    expect(await uploader.upload(order, 60_000)).toMatchObject({ kind: 'failed' })
  })

  it.each([
    ['dies', '() => process.exit(0)', 'the upload ended without an answer'],
    ['throws', "() => { throw new Error('broken') }", 'broken'],
  ])('whose thread %s has failed', async (_, program, message) => {
    const { uploader } = await makeUploader(program)
    expect(await uploader.upload(order, 60_000)).toMatchObject({ kind: 'failed', message })
  })

  it('hands on what the client asks to mask, and keeps its lines for debugging', async () => {
    const lines = ['::add-mask::sig=a%25b', '::debug::one%0Atwo', 'Uploading']
    const print = `process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)})`
    const program = `() => { ${print}; setTimeout(() => parentPort.postMessage({ kind: 'uploaded', id: 1 }), 50) }`
    const { uploader, debug, masks } = await makeUploader(program)
    expect(await uploader.upload(order, 60_000)).toMatchObject({ kind: 'uploaded', id: 1 })
    expect(masks).toEqual(['sig=a%b'])
    expect(debug).toEqual(['artifact client: one\ntwo', 'artifact client: Uploading'])
  })
})

describe('the bound of an upload', () => {
  const uploaded: UploadReport = { kind: 'uploaded', id: 7, digest: 'abc' }

  async function boundFor(megabytes: number): Promise<number | undefined> {
    const file = path.join(folder, `${String(megabytes)}.bin`)
    const handle = await open(file, 'w')
    await handle.truncate(megabytes * 1024 * 1024)
    await handle.close()
    let given: number | undefined
    const upload = (_: UploadOrder, bound: number) => {
      given = bound
      return Promise.resolve(uploaded)
    }
    await publishArtifact({ ...order, files: [file] }, { upload }, {})
    return given
  }

  it('is a minute, and longer only for files that take longer', async () => {
    expect(await boundFor(1)).toBe(60_000)
    expect(await boundFor(64)).toBe(60_000)
    expect(await boundFor(1024)).toBeGreaterThan(8 * 60_000)
  })

  it('does not break on a file that is gone meanwhile', async () => {
    const gone: UploadReport = { kind: 'failed', name: 'Error', message: 'no such file' }
    const upload = () => Promise.resolve(gone)
    const files = [path.join(folder, 'gone.bin')]
    const outcome = await publishArtifact({ ...order, files }, { upload }, {})
    expect(outcome).toEqual({ kind: 'failed', why: 'no such file' })
  })
})
