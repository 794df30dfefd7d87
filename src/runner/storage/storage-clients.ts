/**
 * GitHub's clients for artifacts and the cache: the entry of a bundle of its own, since they are most
 * of the action's weight. It is loaded once, while the step waits for something else.
 */
import { homedir } from 'node:os'
import process from 'node:process'
import * as cache from '@actions/cache'
import { uploadArtifact, type UploadOrder } from './artifact-client.ts'
import { CacheClient, type CacheDownload, type CacheFile, type CacheQuery } from './cache-client.ts'
import { ClientCalls, type OnLine } from './client-calls.ts'

/** Each settles when the client does, which may be never. Not one of them prints. */
export type StorageClients = ReturnType<typeof openClients>

/** The step has a copy of its environment by then. */
export function openClients() {
  // With it, saving to the cache runs `tar` a second time, to list what it has packed.
  process.env['RUNNER_DEBUG'] = ''
  // The cache client packs and unpacks paths relative to it, and runners differ in where it lies.
  process.env['GITHUB_WORKSPACE'] = homedir()
  // The artifact client asks for FormData, with the first use of which Node loads its fetch. That
  // takes 10 to 15 ms, which are better spent while the run goes on.
  Reflect.get(globalThis, 'FormData')
  const calls = new ClientCalls([process.stdout, process.stderr])
  // An error that a client throws in an event handler ends its call, and no verdict hangs on it.
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
