/** Starts the thread that has GitHub's storage clients. */
import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import type { Environment } from '../inputs/environment.ts'
import { stallLimits } from '../stall-watch.ts'
import type { ArtifactServices } from './artifact-client.ts'
import type { CacheServices } from './cache-client.ts'
import type { CacheFileServices } from './cache-files.ts'
import { readClientLine } from './client-line.ts'
import { WorkerRequests } from './worker-requests.ts'

export type StorageServices = ArtifactServices & CacheServices & CacheFileServices

export interface ThreadContext {
  /** The bundle of `storage-worker.ts`. */
  workerFile: string
  /** Where the clients find the services and their token. */
  environment: Environment
  /** Where the clients' own lines go. */
  debug: (line: string) => void
  /** What the clients ask the runner to mask: signed addresses. */
  mask: (value: string) => void
}

export interface Thread {
  worker: Worker
  requests: WorkerRequests<StorageServices>
}

export function openThread({ workerFile, environment, debug, mask }: ThreadContext): Thread {
  const env = {
    // A block may take as long as all: what stalls is ended here.
    ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: String(stallLimits.longest),
    ...environment,
    // With it, saving to the cache runs `tar` a second time, to list what it has packed.
    RUNNER_DEBUG: '',
    // The cache client packs and unpacks paths relative to it, and runners differ in where it lies.
    GITHUB_WORKSPACE: homedir(),
  }
  const worker = new Worker(workerFile, { env, stdout: true, stderr: true })
  const relay = (line: string) => {
    const { command, text } = readClientLine(line)
    if (command === 'add-mask') mask(text)
    else debug(`storage client: ${text}`)
  }
  for (const stream of [worker.stdout, worker.stderr]) {
    createInterface({ input: stream }).on('line', relay)
  }
  return { worker, requests: new WorkerRequests(worker, relay) }
}
