import path from 'node:path'
import type { Clock } from '../../src/clock.ts'
import { systemClock } from '../../src/clock.ts'
import { StorageThread } from '../../src/runner/storage/storage-thread.ts'
import { type ArtifactService, openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import type { CacheProtocol } from '../../sandbox/runner/cache-calls.ts'
import { type CacheService, openCacheService } from '../../sandbox/runner/cache-service.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** The bundle with GitHub's own clients. */
export const workerFile = path.join(process.env['BUNDLES_UNDER_TEST'] ?? '', 'storage', 'index.js')

export interface Runner extends AsyncDisposable {
  artifacts: ArtifactService
  cache: CacheService
  /** RUNNER_TEMP. */
  temp: string
  environment: Record<string, string>
  /** What the threads' clients printed, and what they asked to mask. */
  lines: string[]
  masks: string[]
  /** A step's thread, ended with the runner. */
  openStorage(options?: StorageOptions): StorageThread
  [Symbol.asyncDispose](): Promise<void>
}

interface StorageOptions {
  file?: string
  cancelled?: AbortSignal
  clock?: Clock
  env?: Record<string, string>
}

/** A runner's services for storing, and its folders. */
export async function openRunner(protocol: CacheProtocol = 'v2'): Promise<Runner> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await makeTemporaryFolder())
  const artifacts = cleanup.use(await openArtifactService())
  const cache = cleanup.use(await openCacheService(protocol))
  artifacts.mount(cache)
  cache.admit(artifacts.token)
  const environment = environmentOf(folder.path, artifacts, cache)
  const lines: string[] = []
  const masks: string[] = []
  const kept = cleanup.move()
  return {
    artifacts,
    cache,
    temp: folder.path,
    environment,
    lines,
    masks,
    openStorage: ({ file = workerFile, env, ...options } = {}) =>
      kept.use(
        new StorageThread({
          workerFile: file,
          environment: { ...environment, ...env },
          debug: (line) => lines.push(line),
          mask: (value) => masks.push(value),
          cancelled: new AbortController().signal,
          clock: systemClock,
          ...options,
        }),
      ),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function environmentOf(folder: string, artifacts: ArtifactService, cache: CacheService) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    USERPROFILE: folder,
    RUNNER_TEMP: folder,
    GITHUB_WORKSPACE: folder,
    ACTIONS_RESULTS_URL: artifacts.url,
    ACTIONS_RUNTIME_TOKEN: artifacts.token,
    ACTIONS_CACHE_URL: cache.url,
    GITHUB_RUN_ID: '4200',
    ...(cache.protocol === 'v2' && { ACTIONS_CACHE_SERVICE_V2: 'True' }),
  }
}
