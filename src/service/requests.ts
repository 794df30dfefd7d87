/**
 * The requests to the service: one per endpoint. The only place that reads credentials, seed and
 * webhook headers. It picks each member by its name, so that nothing else of a caller's object is
 * kept or sent.
 */
import type { ApiRequest } from './transport.ts'

/** What every call authenticates with. Source: docs/service.md, "Authentication". */
export interface Credentials {
  apiToken: string
  apiKey: string
  /** `token` sends `Token <api token>`, the documented form; `bare` sends the token alone. */
  authorizationScheme: 'token' | 'bare'
}

/** The two base addresses, both absolute URLs. Source: docs/service.md, "Routes". */
export interface ServiceAddress {
  baseUrl: string
  statusBaseUrl: string
}

/** What to start. Source: docs/service.md, "Start an automation". */
export interface StartRequest {
  project: string
  automation: string
  /** The JSON text of an object. It is sent character for character. */
  seed?: string
  /** Where the service sends the final result. Omitted: the automation's configured webhook. */
  webhook?: string
  webhookHeaders?: Record<string, string>
}

/** The project to create. Source: docs/service.md, "Create a project". */
export interface CreateProjectRequest {
  region: string
  dockerVersion: string
  name: string
}

/** Makes the requests of one service and account. */
export class RequestBuilder {
  readonly #baseUrl: string
  readonly #statusBaseUrl: string
  readonly #headers: Readonly<Record<string, string>>

  constructor({ baseUrl, statusBaseUrl }: ServiceAddress, credentials: Credentials) {
    const { apiToken, apiKey, authorizationScheme } = credentials
    const authorization = authorizationScheme === 'token' ? `Token ${apiToken}` : apiToken
    this.#baseUrl = baseUrl
    this.#statusBaseUrl = statusBaseUrl
    this.#headers = { authorization, 'x-api-key': apiKey, accept: 'application/json' }
  }

  /** Throws URIError where a name has a lone surrogate, which no URL can hold. */
  start(request: StartRequest): ApiRequest {
    const { project, automation } = request
    return this.#post(
      `/api/start-automation/${segment(project)}/${segment(automation)}`,
      startBody(request),
    )
  }

  /** Asks the status route, which may have a base address of its own. */
  status(executionId: string): ApiRequest {
    const url = join(this.#statusBaseUrl, `/api/v4/execution/${segment(executionId)}/status`)
    return { method: 'GET', url, headers: { ...this.#headers } }
  }

  /** Has the three documented members alone. */
  createProject({ region, dockerVersion, name }: CreateProjectRequest): ApiRequest {
    const body = JSON.stringify({ region, docker_version: dockerVersion, name })
    return this.#post('/api/create-project', body)
  }

  #post(path: string, body: string): ApiRequest {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    return { method: 'POST', url: join(this.#baseUrl, path), headers, body }
  }
}

/** Built as text: parsing the seed and writing it again would change numbers such as `1e400`. */
function startBody({ webhook, webhookHeaders, seed }: StartRequest): string {
  const members: string[] = []
  if (webhook !== undefined) members.push(`"webhook":${JSON.stringify(webhook)}`)
  if (webhookHeaders) members.push(`"webhook_header":${JSON.stringify(webhookHeaders)}`)
  if (seed !== undefined) members.push(`"seed":${seed}`)
  return `{${members.join(',')}}`
}

/** A name as one path segment, whatever characters it has. */
function segment(name: string): string {
  return encodeURIComponent(name)
}

function join(base: string, path: string): URL {
  return new URL(base.replace(/\/+$/, '') + path)
}
