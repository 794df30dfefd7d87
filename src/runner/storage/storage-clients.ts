/**
 * GitHub's clients for artifacts and the cache. They are the entry of a bundle of their own,
 * because they are most of the action's size. It is loaded once, while the step waits for something
 * else.
 */
import process from 'node:process'
import * as cache from '@actions/cache'
import { uploadArtifact, type UploadOrder } from './artifact-client.ts'
import { CacheClient, type CacheDownload, type CacheFile, type CacheQuery } from './cache-client.ts'
import { ClientCalls, type OnLine } from './client-calls.ts'

/** Each call settles when the client's call does, which may be never. No call prints. */
export type StorageClients = ReturnType<OpenClients>
export type OpenClients = typeof openClients

/**
 * Changes variables of the process, so the step must have copied its environment before. Without a
 * home folder, the cache is not used.
 */
export function openClients(home: string | undefined) {
  // With RUNNER_DEBUG, a save to the cache runs `tar` a second time to list the packed files.
  process.env['RUNNER_DEBUG'] = ''
  // The cache client packs and unpacks paths relative to this folder, and runners have different
  // workspaces.
  if (home !== undefined) process.env['GITHUB_WORKSPACE'] = home
  // The artifact client uses FormData. Node loads its fetch at the first use, which takes 10 to 15
  // ms. This line does it while the step waits for the run.
  Reflect.get(globalThis, 'FormData')
  const calls = new ClientCalls([process.stdout, process.stderr])
  // If a client throws in an event handler, its call fails. The error does not end the step.
  process.setUncaughtExceptionCaptureCallback((error: Error) => {
    if (calls.fail(error)) return
    for (const listener of process.listeners('uncaughtException')) {
      listener(error, 'uncaughtException')
    }
  })
  const client = new CacheClient(cache, calls)
  return {
    upload: (order: UploadOrder, onLine: OnLine) => calls.run(onLine, () => uploadArtifact(order)),
    find: (query: CacheQuery, onLine: OnLine) => client.find(query, onLine),
    save: (file: CacheFile, onLine: OnLine) => client.save(file, onLine),
    restore: (order: CacheDownload, onLine: OnLine) => client.restore(order, onLine),
  }
}
