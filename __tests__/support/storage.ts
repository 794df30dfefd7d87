import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { OnLine } from '../../src/runner/storage/client-calls.ts'
import { StorageFailure } from '../../src/runner/storage/storage-failure.ts'
import { StepStorage } from '../../src/runner/storage/step-storage.ts'
import type { StorageClients } from '../../src/runner/storage/clients.ts'
import { type ArtifactService, openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { type CacheService, openCacheService } from '../../sandbox/runner/cache-service.ts'
import { describeServices } from '../../sandbox/runner/environment.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const hasten =
  'const wait = setTimeout; globalThis.setTimeout = Object.assign((run, span = 0, ...rest) => wait(run, span / 100, ...rest), wait)'
const shortPauses = `data:text/javascript,${encodeURIComponent(hasten)}`

/** A clock that skips the pauses between two tries. The test must advance it for longer waits. */
export const skippingPauses = () => new SimulatedClock({ maxJump: 3_000 })

/** The bundle with GitHub's clients. */
const bundle = path.join(process.env['BUNDLES_UNDER_TEST'] ?? '', 'storage', 'index.js')

export interface Runner extends AsyncDisposable {
  artifacts: ArtifactService
  cache: CacheService
  /** RUNNER_TEMP. */
  temp: string
  /** Lines that the clients printed, and values that they asked to mask. */
  lines: string[]
  masks: string[]
  /**
   * Returns the storage of a step. Disposing the runner ends its clients. The pauses of the clients
   * take a hundredth of their time.
   */
  openStorage(env?: Record<string, string>, clock?: Clock): StepStorage
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens the storage services of a runner, and its folders. */
export async function openRunner(): Promise<Runner> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await makeTemporaryFolder())
  const artifacts = cleanup.use(await openArtifactService())
  const cache = cleanup.use(await openCacheService())
  artifacts.mount(cache)
  const lines: string[] = []
  const masks: string[] = []
  const kept = cleanup.move()
  return {
    artifacts,
    cache,
    temp: folder.path,
    lines,
    masks,
    openStorage: (env = {}, clock = systemClock) => {
      const environment = { ...environmentOf(folder.path, artifacts, cache), ...env }
      const context = {
        environment,
        log: { debug: (line: string) => lines.push(line) },
        secrets: { add: (value: string) => masks.push(value) },
        cancelled: new AbortController().signal,
        clock,
      }
      return new StepStorage(context, () => Promise.resolve(clientsIn(environment, kept)))
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

type Reply = { id: number } & (
  | { line: string }
  | ({ failure: string } & Pick<StorageFailure, 'kind' | 'mayExist'>)
  | { report: unknown }
)

/** Returns GitHub's clients in a child process, because the clients read `process.env`. */
function clientsIn(env: Record<string, string>, cleanup: AsyncDisposableStack): StorageClients {
  const file = fileURLToPath(new URL('storage-program.mjs', import.meta.url))
  const child = fork(file, [pathToFileURL(bundle).href], { env, serialization: 'advanced' })
  const exit = once(child, 'exit')
  cleanup.defer(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply))
  const ask = async (name: string, order: unknown, onLine: OnLine): Promise<never> => {
    const id = waiting.size
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, (reply) => {
      if ('line' in reply) onLine(reply.line)
      else if ('failure' in reply)
        reject(new StorageFailure(reply.failure, reply.kind, reply.mayExist))
      else resolve(reply.report)
    })
    child.send({ id, name, order })
    return (await promise) as never
  }
  return {
    upload: (order, onLine) => ask('upload', order, onLine),
    find: (query, onLine) => ask('find', query, onLine),
    save: (cached, onLine) => ask('save', cached, onLine),
    restore: (order, onLine) => ask('restore', order, onLine),
  }
}

function environmentOf(folder: string, artifacts: ArtifactService, cache: CacheService) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    USERPROFILE: folder,
    NODE_OPTIONS: `--import=${shortPauses}`,
    RUNNER_TEMP: folder,
    GITHUB_WORKSPACE: folder,
    GITHUB_RUN_ID: '4200',
    ...describeServices({ artifacts, cache }),
  }
}
