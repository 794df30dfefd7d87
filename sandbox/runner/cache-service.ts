import type { Answer } from '../http/answer.ts'
import { openLoopbackServer, type LoopbackServer } from '../http/loopback-server.ts'
import { PendingFaults } from '../http/pending-faults.ts'
import type { MountedService } from './artifact-service.ts'
import { answerBlob } from './blobs.ts'
import {
  answersOf,
  routeOf,
  type CacheAccess,
  type CacheCall,
  type CacheProtocol,
  type CacheRoute,
} from './cache-calls.ts'
import { type CacheEntry, CacheStore } from './cache-store.ts'
import {
  answer,
  badRoute,
  makeRuntimeToken,
  unauthenticated,
  type StorageFault,
  type StorageRequest,
} from './storage-request.ts'

export type { CacheEntry } from './cache-store.ts'
export type CacheFault = StorageFault<CacheCall>
type CacheRequest = StorageRequest<CacheCall> & CacheRoute

/**
 * A stand-in for GitHub's cache service on loopback, with the routes of protocol v1 or v2. Several
 * steps and attempts of a workflow run can share its entries.
 */
export interface CacheService extends LoopbackServer, MountedService {
  /** The value of ACTIONS_CACHE_URL, and for v2 without artifacts also of ACTIONS_RESULTS_URL. */
  url: string
  /** The value of ACTIONS_RUNTIME_TOKEN if there is no artifact service. */
  token: string
  protocol: CacheProtocol
  /** All published entries, oldest first. */
  entries: readonly CacheEntry[]
  /** All requests, in the order of their arrival. */
  requests: CacheRequest[]
  /** What the job's token may do with the cache. A test may change it between two steps. */
  access: CacheAccess
  inject(fault: CacheFault): void
}

export async function openCacheService(protocol: CacheProtocol = 'v2'): Promise<CacheService> {
  const store = new CacheStore()
  const faults = new PendingFaults<CacheFault>(Infinity)
  const requests: CacheRequest[] = []
  const token = makeRuntimeToken()
  const tokens = new Set([token])
  const take: MountedService['take'] = (incoming, response) => {
    const { method = '', headers } = incoming
    const address = new URL(incoming.url ?? '/', service.url)
    const route = routeOf(method, address.pathname)
    if (!route) return undefined
    const request: CacheRequest = { ...route, method, path: address.pathname, headers, body: '' }
    requests.push(request)
    return answer(incoming, response, request, faults.take([route.call]), (body) =>
      decide(request, address, body, { service, store, tokens }),
    )
  }
  const server = await openLoopbackServer(async (request, response) => {
    await (take(request, response) ?? response.writeHead(404).end())
  })
  const service: CacheService = {
    ...server,
    token,
    protocol,
    entries: store.entries,
    requests,
    access: 'read-write',
    take,
    inject: (fault) => faults.inject(fault),
    admit: (other) => void tokens.add(other),
  }
  return service
}

interface Context {
  service: CacheService
  store: CacheStore
  tokens: ReadonlySet<string>
}

function decide(
  { protocol, call, method, headers, id }: CacheRequest,
  address: URL,
  body: Buffer,
  { service, store, tokens }: Context,
): Answer {
  if (protocol === 'store') {
    const upload = store.findUpload(({ blob }) => blob === id)
    return answerBlob(upload, address, method, body)
  }
  const answerTo = protocol === service.protocol ? answersOf[protocol][call] : undefined
  if (!answerTo) return badRoute
  const [, token = ''] = /^Bearer (.*)$/.exec(headers.authorization ?? '') ?? []
  if (!tokens.has(token)) return unauthenticated
  const { access, url } = service
  const blobs = new URL('cache-blobs/', url)
  return answerTo({ store, access, id, query: address.searchParams, headers, body, blobs })
}
