/**
 * The thread that stores: artifacts, and the memory's keys and files in the cache. It carries GitHub's two
 * clients, which are most of the action's weight, print many lines, and can be stopped from outside
 * only together with their thread.
 */
import { parentPort } from 'node:worker_threads'
import * as cache from '@actions/cache'
import { uploadArtifact } from './artifact-client.ts'
import { CacheClient } from './cache-client.ts'
import { CacheFiles } from './cache-files.ts'
import { captureLinesOf } from './capture-lines.ts'
import { limitTrafficOfThread } from './limit-traffic.ts'
import type { StorageServices } from './open-thread.ts'
import { watchTrafficOfThread } from './traffic.ts'
import { answerRequests } from './worker-answers.ts'

// Node loads its own `fetch` where FormData is first looked at, which the artifact client does in the
// middle of an upload. Here it takes time that nobody waits for.
Reflect.get(globalThis, 'FormData')

if (parentPort) {
  const capture = captureLinesOf([process.stdout, process.stderr])
  const watchTraffic = watchTrafficOfThread()
  const client = new CacheClient(cache, capture)
  const files = new CacheFiles(client, limitTrafficOfThread())
  answerRequests<StorageServices>(parentPort, {
    upload: (order, { onLine, onProgress }) =>
      capture(onLine, () => watchTraffic(onProgress, () => uploadArtifact(order))),
    find: ({ prefix }, { onLine }) => client.find(prefix, onLine),
    save: ({ key }, { onLine }) => client.save(key, onLine),
    saveFile: (file, { onLine }) => files.save(file, onLine),
    restoreFile: (order, { onLine }) => files.restore(order, onLine),
  })
}
