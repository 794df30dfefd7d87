/**
 * GitHub's clients for artifacts and the cache. This file is the entry of a separate bundle,
 * because the clients are most of the action's size. A step loads the bundle at most once.
 */
import process from 'node:process'
import { DefaultArtifactClient, GHESNotSupportedError } from '@actions/artifact'
import * as cache from '@actions/cache'
import { messageOf } from '../../errors.ts'
import { CacheClient, type CacheDownload, type CacheFile, type CacheQuery } from './cache-client.ts'
import { ClientCalls, type OnLine } from './client-calls.ts'
import { explain, failureIn, StorageFailure } from './storage-failure.ts'

export interface UploadOrder {
  name: string
  /** Absolute paths of files in `folder`. The artifact keeps the paths relative to `folder`. */
  files: string[]
  folder: string
  /** How many days GitHub keeps the artifact. If undefined, the repository's setting decides. */
  retentionDays: number | undefined
  /** True to replace an artifact that has this name. */
  replaces: boolean
}

export interface Uploaded {
  id: number
  digest: string
}

/**
 * The calls of the clients. A call rejects if it fails, and may never settle. No call prints to the
 * standard streams.
 */
export type StorageClients = ReturnType<OpenClients>
export type OpenClients = typeof openClients

/** Opens the clients. They change `process.env`, so the step must copy its environment before. */
export function openClients() {
  // If RUNNER_DEBUG is set, the cache client runs `tar` a second time to list the packed files.
  process.env['RUNNER_DEBUG'] = ''
  // The first use of FormData takes 10 to 15 ms. The artifact client uses FormData at the end of
  // the step. So the first use is here, while the step is waiting anyway.
  Reflect.get(globalThis, 'FormData')
  const calls = new ClientCalls([process.stdout, process.stderr])
  // If a client throws in an event handler, only the call of the client fails, not the step.
  process.setUncaughtExceptionCaptureCallback((error: Error) => {
    if (calls.fail(error)) return
    for (const listener of process.listeners('uncaughtException')) {
      listener(error, 'uncaughtException')
    }
  })
  const client = new CacheClient(cache, calls)
  return {
    upload: (order: UploadOrder, onLine: OnLine) => upload(order, calls, onLine),
    find: (query: CacheQuery, onLine: OnLine) => client.find(query, onLine),
    save: (file: CacheFile, onLine: OnLine) => client.save(file, onLine),
    restore: (order: CacheDownload, onLine: OnLine) => client.restore(order, onLine),
  }
}

/**
 * Uploads an artifact. If its name is taken, and the artifact is to be replaced or may be from an
 * own request without an answer, deletes that artifact and uploads once more.
 */
async function upload(order: UploadOrder, calls: ClientCalls, onLine: OnLine): Promise<Uploaded> {
  const client = new DefaultArtifactClient()
  const call = <Value>(task: () => Promise<Value>) => explained(calls, onLine, task)
  const send = () => call(() => uploadArtifact(client, order))
  try {
    return await send()
  } catch (error) {
    const failure = failureIn(error)
    if (failure?.kind !== 'taken' || !(order.replaces || failure.mayExist)) throw error
    await call(() => client.deleteArtifact(order.name)).catch((cause: unknown) => {
      throw notReplaced(failure, cause)
    })
    return await send()
  }
}

/** Returns the failure to delete an artifact. If the failure is temporary, all is tried again. */
function notReplaced({ message }: StorageFailure, cause: unknown): StorageFailure {
  const why = `${message}; that artifact stays, because it could not be replaced: ${messageOf(cause)}`
  const isTemporary = failureIn(cause)?.kind === 'temporary'
  return new StorageFailure(why, isTemporary ? 'temporary' : 'final', true)
}

async function explained<Value>(
  calls: ClientCalls,
  onLine: OnLine,
  task: () => Promise<Value>,
): Promise<Value> {
  const { value, error, exchanges } = await calls.run(onLine, task)
  if (error instanceof GHESNotSupportedError) throw new StorageFailure(error.message, 'unsupported')
  if (error) throw explain('artifact service', messageOf(error), exchanges)
  return value as Value
}

/** Uploads an artifact. The client gives up if no block of 8 MiB was sent in five minutes. */
async function uploadArtifact(
  client: DefaultArtifactClient,
  order: UploadOrder,
): Promise<Uploaded> {
  const { name, files, folder, retentionDays } = order
  const options = retentionDays === undefined ? {} : { retentionDays }
  const { id, digest = '' } = await client.uploadArtifact(name, files, folder, options)
  if (id === undefined) throw new Error('the artifact service gave no id for the artifact')
  return { id, digest }
}
