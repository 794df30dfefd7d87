/** What a client asks a cache for. `blob` is the transport of bytes, `list` a diagnosis of v1's. */
export type CacheCall = 'look-up' | 'create' | 'blob' | 'finalize' | 'list'

/** v2 speaks Twirp at ACTIONS_RESULTS_URL; v1 (GHES, act) is REST at ACTIONS_CACHE_URL. */
export type CacheProtocol = 'v2' | 'v1'

/** Which call a request is. `store`: of the blob store, which takes signatures and no token. */
export interface CacheRoute {
  protocol: CacheProtocol | 'store'
  call: CacheCall | 'other'
  /** The upload's id of v1, or the blob's name. */
  id: string
}

const twirp = '/twirp/github.actions.results.api.v1.CacheService/'
const rest = '/_apis/artifactcache/'
const blobs = '/cache-blobs/'

const twirpCalls: Partial<Record<string, CacheCall>> = {
  CreateCacheEntry: 'create',
  FinalizeCacheEntryUpload: 'finalize',
  GetCacheEntryDownloadURL: 'look-up',
}

const restCalls: Partial<Record<string, CacheCall>> = {
  'GET cache': 'look-up',
  'GET caches': 'list',
  'POST caches': 'create',
  'PATCH caches/': 'blob',
  'POST caches/': 'finalize',
}

/** Undefined where the path is none of a cache's. */
export function routeOf(method: string, path: string): CacheRoute | undefined {
  if (path.startsWith(blobs)) {
    return { protocol: 'store', call: 'blob', id: path.slice(blobs.length) }
  }
  if (path.startsWith(twirp)) {
    const call = method === 'POST' ? twirpCalls[path.slice(twirp.length)] : undefined
    return { protocol: 'v2', call: call ?? 'other', id: '' }
  }
  if (!path.startsWith(rest)) return undefined
  const [, resource = '', id = ''] = /^(.*?)(\d*)$/.exec(path.slice(rest.length)) ?? []
  return { protocol: 'v1', call: restCalls[`${method} ${resource}`] ?? 'other', id }
}
