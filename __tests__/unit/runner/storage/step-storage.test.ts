import { describe, expect, it } from '@jest/globals'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import type { UploadReport } from '../../../../src/runner/storage/artifact-client.ts'
import type { OnLine } from '../../../../src/runner/storage/client-calls.ts'
import { StepStorage } from '../../../../src/runner/storage/step-storage.ts'
import type { StorageClients } from '../../../../src/runner/storage/storage-clients.ts'

const order = { name: 'report', files: [], folder: '', retentionDays: undefined }
const forever = new AbortController().signal
const uploaded: UploadReport = { kind: 'uploaded', id: 1, digest: undefined }
const hang = () => new Promise<never>(() => undefined)

interface Scene {
  clients?: Partial<StorageClients>
  load?: () => Promise<StorageClients>
  cancelled?: AbortSignal
  environment?: Record<string, string>
}

function open({ clients, load, cancelled = forever, environment }: Scene) {
  const clock = new SimulatedClock()
  const debug: string[] = []
  const masks: string[] = []
  let loads = 0
  const storage = new StepStorage({
    environment: environment ?? { ACTIONS_CACHE_URL: 'http://127.0.0.1/' },
    cancelled,
    clock,
    loadClients: () => {
      loads += 1
      const all = { upload: hang, find: hang, save: hang, restore: hang, ...clients }
      return load?.() ?? Promise.resolve(all)
    },
    debug: (line) => debug.push(line),
    mask: (value) => masks.push(value),
  })
  return { storage, clock, debug, masks, loads: () => loads }
}

describe('an upload', () => {
  it('of a client that never answers is given up after an hour', async () => {
    const { storage, clock } = open({})
    const message = 'not done after 1 h'
    expect(await storage.upload(order)).toEqual({ kind: 'failed', name: 'TimeUp', message })
    expect(clock.elapsed).toBe(3_600_000)
  })

  it('is given up at once when the step is cancelled', async () => {
    const { storage } = open({ cancelled: AbortSignal.abort() })
    const cancelled = { kind: 'failed', name: 'Cancelled', message: 'cancelled' }
    expect(await storage.upload(order)).toEqual(cancelled)
  })

  it('has failed where its client throws, or cannot be loaded', async () => {
    const broken = () => Promise.reject(new TypeError('broken'))
    const failed = { kind: 'failed', name: 'TypeError', message: 'broken' }
    expect(await open({ clients: { upload: broken } }).storage.upload(order)).toEqual(failed)
    expect(await open({ load: broken }).storage.upload(order)).toEqual(failed)
  })

  it('hands on what the client asks to mask, and keeps its lines for debugging', async () => {
    const upload = (_: unknown, onLine: OnLine) => {
      for (const line of ['::add-mask::sig=a%25b', '::debug::one%0Atwo', 'Uploading']) onLine(line)
      return Promise.resolve(uploaded)
    }
    const { storage, debug, masks } = open({ clients: { upload } })
    expect(await storage.upload(order)).toEqual(uploaded)
    expect(masks).toEqual(['sig=a%b'])
    expect(debug).toEqual(['storage client: one\ntwo', 'storage client: Uploading'])
  })
})

describe('a call that is given up', () => {
  it('says what its client printed last, and leaves the next one be', async () => {
    const controller = new AbortController()
    const find = (_: unknown, onLine: OnLine) => {
      for (const line of ['Attempt 1 of 5 failed', '::debug::waiting', '[command]tar']) onLine(line)
      return hang()
    }
    const save = () => Promise.resolve({ kind: 'saved' } as const)
    const { storage } = open({ clients: { find, save } })
    const found = storage.find('run-', controller.signal)
    const saved = await storage.save('run-1', forever)
    controller.abort()
    expect(await found).toEqual({ kind: 'given-up', lastLine: 'Attempt 1 of 5 failed' })
    expect(saved).toEqual({ kind: 'report', report: { kind: 'saved' } })
  })

  it('still has its file on this machine: a save waits until the download is over', async () => {
    const controller = new AbortController()
    const download = Promise.withResolvers<{ kind: 'none' }>()
    const made: string[] = []
    const { storage } = open({
      clients: {
        find: () => Promise.resolve({ kind: 'found', key: 'run-1' } as const),
        restore: () => {
          controller.abort()
          return download.promise.finally(() => made.push('downloaded'))
        },
        save: () => Promise.resolve({ kind: 'saved' } as const).finally(() => made.push('saved')),
      },
    })
    const query = { prefix: 'run-', name: 'run', accepts: () => true, maxSize: 1 }
    expect(await storage.restoreFile(query, controller.signal)).toMatchObject({ kind: 'given-up' })
    const file = { key: 'run-2', name: 'run', content: new Uint8Array(1) }
    const saved = storage.saveFile(file, forever)
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    download.resolve({ kind: 'none' })
    expect([(await saved).kind, made]).toEqual(['report', ['downloaded', 'saved']])
  })

  it('is not even begun where the signal came before', async () => {
    const { storage, loads } = open({})
    const answer = await storage.save('run-1', AbortSignal.abort())
    expect([answer.kind, loads()]).toEqual(['given-up', 0])
  })
})

describe('the clients', () => {
  it('are loaded once, ahead of the first call', async () => {
    const { storage, loads } = open({ clients: { upload: () => Promise.resolve(uploaded) } })
    storage.prepare()
    await storage.upload(order)
    expect(loads()).toBe(1)
  })

  it('are not loaded where the runner offers nothing to store in', async () => {
    const { storage, loads } = open({ environment: {} })
    storage.prepare()
    const file = { key: 'run-1', name: 'run', content: new Uint8Array(1) }
    const query = { prefix: 'run-', name: 'run', accepts: () => true, maxSize: 1 }
    const answers = await Promise.all([
      storage.find('run-', forever),
      storage.save('run-1', forever),
      storage.saveFile(file, forever),
      storage.restoreFile(query, forever),
    ])
    const report = { kind: 'failed', why: 'this runner offers no cache' }
    expect(answers).toEqual(Array(4).fill({ kind: 'report', report }))
    expect(loads()).toBe(0)
  })
})
