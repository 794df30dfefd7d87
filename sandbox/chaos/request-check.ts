import type { ApiRequest } from '../../src/service/transport.ts'
import type { Ledger, Route } from './ledger.ts'
import type { Caller } from './step-plan.ts'

export const seed = '{"big":1e400,"exact":1.0}'

/** The seed's text of a start, where it came as it was given. */
export function seedOf({ body = '' }: ApiRequest): string | undefined {
  return body.includes(`"seed":${seed}`) ? seed : undefined
}

const routes: readonly (readonly [Route, RegExp])[] = [
  ['start', /^POST \/api\/start-automation\/chaos%2Fproject\/daily%20report$/],
  ['create-project', /^POST \/api\/create-project$/],
  ['status', /^GET \/api\/v4\/execution\/[^/]+\/status$/],
]

/** Which of the documented routes is asked; the credentials must come along, as documented. */
export function routeOf(request: ApiRequest, caller: Caller, ledger: Ledger): Route {
  const { method, url, headers } = request
  const route = routes.find(([, pattern]) => pattern.test(`${method} ${url.pathname}`))?.[0]
  if (!route) throw new Error(`no such route: ${method} ${url.pathname}`)
  const { authorization, 'x-api-key': key } = headers
  if (authorization !== `Token ${caller.apiToken.value}` || key !== caller.apiKey.value) {
    ledger.complaints.push('a request without its credentials')
  }
  return route
}
