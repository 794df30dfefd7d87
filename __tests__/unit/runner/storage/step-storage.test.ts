import { describe, expect, it } from '@jest/globals'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import type { CacheFile } from '../../../../src/runner/storage/cache-client.ts'
import type { OnLine } from '../../../../src/runner/storage/client-calls.ts'
import { StepStorage } from '../../../../src/runner/storage/step-storage.ts'
import type { StorageClients } from '../../../../src/runner/storage/clients.ts'

const order = { name: 'report', files: [], folder: '', retentionDays: undefined, replaces: false }
const forever = new AbortController().signal
const uploaded = { id: 1, digest: 'sha256:0' }
const query = { prefix: 'run-', name: 'record' }
const file = { key: 'run-1', name: 'record', content: new Uint8Array(1) }
const download = { key: 'run-1', name: 'record', maxSize: 1 }
const services = {
  ACTIONS_CACHE_URL: 'http://127.0.0.1/',
  GITHUB_RUN_ID: '4200',
  ACTIONS_RUNTIME_TOKEN: 'token',
  ACTIONS_RESULTS_URL: 'http://127.0.0.1/',
}
const hang = () => new Promise<never>(() => undefined)

interface Scene {
  clients?: Partial<StorageClients>
  load?: () => Promise<StorageClients>
  cancelled?: AbortSignal
  environment?: Record<string, string>
}

function open({ clients, load, cancelled = forever, environment = services }: Scene) {
  const clock = new SimulatedClock()
  const debug: string[] = []
  const masks: string[] = []
  let loads = 0
  const context = {
    environment,
    cancelled,
    clock,
    log: { debug: (line: string) => debug.push(line) },
    secrets: { add: (value: string) => masks.push(value) },
  }
  const storage = new StepStorage(context, () => {
    loads += 1
    const all = { upload: hang, find: hang, save: hang, restore: hang, ...clients }
    return load?.() ?? Promise.resolve(all)
  })
  return { storage, clock, debug, masks, loads: () => loads }
}

describe('an upload', () => {
  /** Returns a client that prints this many lines, one every four minutes, and never answers. */
  const talking = (lines: number) => {
    const upload = async (_: unknown, onLine: OnLine) => {
      for (let line = 1; line <= lines; line += 1) {
        await scene.clock.sleep(240_000)
        onLine(`Uploaded bytes ${line}`)
      }
      return hang()
    }
    const scene = open({ clients: { upload } })
    return scene
  }

  it('of a client that prints nothing is given up after three tries of five minutes', async () => {
    const { storage, clock } = open({})
    const why = 'the artifact service did not finish within 5 min'
    await expect(storage.upload(order)).rejects.toThrow(why)
    expect([clock.elapsed, clock.sleeping]).toEqual([904_000, 0])
  })

  it('continues while its client prints lines; a try is given up five minutes after the last line', async () => {
    const { storage, clock } = talking(2)
    const why = 'the artifact service did not finish within 13 min'
    await expect(storage.upload(order)).rejects.toThrow(why)
    expect(clock.elapsed).toBe(3 * 780_000 + 4_000)
  })

  it('is given up after an hour, whatever its client prints', async () => {
    const { storage, clock } = talking(20)
    const why = 'the artifact service did not finish within 1 h'
    await expect(storage.upload(order)).rejects.toThrow(why)
    expect(clock.elapsed).toBe(3_600_000)
  })

  it('has failed if its client throws, or cannot be loaded', async () => {
    const broken = () => Promise.reject(new TypeError('broken'))
    for (const scene of [{ clients: { upload: broken } }, { load: broken }]) {
      await expect(open(scene).storage.upload(order)).rejects.toThrow('broken')
    }
  })
})

describe('a call that is given up', () => {
  it('may still be using its file, so a save waits until the download has ended', async () => {
    const controller = new AbortController()
    const hanging = Promise.withResolvers<Uint8Array>()
    const made: string[] = []
    const { storage } = open({
      clients: {
        restore: () => {
          controller.abort()
          return hanging.promise.finally(() => made.push('downloaded'))
        },
        save: () => Promise.resolve().finally(() => made.push('saved')),
      },
    })
    await expect(storage.restore(download, controller.signal)).rejects.toThrow('did not finish')
    const saved = storage.save(file, forever)
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    hanging.reject(new Error('it was evicted'))
    await saved
    expect(made).toEqual(['downloaded', 'saved'])
  })

  it('may still succeed, so its error has the promise of the client', async () => {
    const controller = new AbortController()
    const slow = Promise.withResolvers<undefined>()
    const { storage } = open({ clients: { save: () => slow.promise } })
    const saved = storage.save(file, controller.signal)
    await new Promise(setImmediate)
    controller.abort()
    await expect(saved).rejects.toMatchObject({ running: slow.promise })
  })

  it.each(['the download has ended', 'the clients are loaded'])(
    'is not sent when %s',
    async (what) => {
      const controller = new AbortController()
      const { promise, reject } = Promise.withResolvers<Uint8Array>()
      const sent: string[] = []
      const save = ({ key }: CacheFile) => {
        sent.push(key)
        return Promise.resolve()
      }
      const clients = { upload: hang, find: hang, save, restore: () => promise }
      const isLoadSlow = what === 'the clients are loaded'
      const loaded = () => clients
      const load = () => (isLoadSlow ? promise.then(loaded, loaded) : Promise.resolve(clients))
      const { storage } = open({ load })
      storage.restore(download, forever).catch(() => undefined)
      await new Promise(setImmediate)
      const first = storage.save({ ...file, key: 'a' }, controller.signal)
      await new Promise(setImmediate)
      controller.abort()
      await expect(first).rejects.not.toHaveProperty('running')
      reject(new Error('it was evicted'))
      await storage.save({ ...file, key: 'b' }, forever)
      expect(sent).toEqual(['b'])
    },
  )

  it('is not begun if the signal aborted before', async () => {
    const { storage, loads } = open({})
    await expect(storage.save(file, AbortSignal.abort())).rejects.toThrow('did not finish')
    expect(loads()).toBe(0)
  })
})

describe('the clients', () => {
  it('are loaded once, ahead of the first call', async () => {
    const { storage, loads } = open({ clients: { upload: () => Promise.resolve(uploaded) } })
    storage.prepare()
    await storage.upload(order)
    expect(loads()).toBe(1)
  })

  it('are not loaded if the runner offers no storage', async () => {
    const { storage, loads } = open({ environment: {} })
    storage.prepare()
    await expect(storage.upload(order)).rejects.toMatchObject({ kind: 'unsupported' })
    for (const ask of [
      () => storage.find(query, forever),
      () => storage.save(file, forever),
      () => storage.restore(download, forever),
    ]) {
      await expect(ask()).rejects.toThrow('this runner offers no cache')
    }
    expect(loads()).toBe(0)
  })
})
