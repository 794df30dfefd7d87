/** The client of the Automation Hosting Service: one method per endpoint, one try per call. */
import type { z } from 'zod/mini'
import {
  createProjectAnswerSchema,
  startAnswerSchema,
  statusSchemaOf,
  type CreateProjectAnswer,
  type ExecutionStatus,
  type StartAnswer,
} from './contract.ts'
import { readAnswer } from './read-answer.ts'
import type { Transport } from './transport.ts'

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
  seed?: string | undefined
  /** Where the service sends the final result. Omitted: the automation's configured webhook. */
  webhook?: string | undefined
  webhookHeaders?: Record<string, string> | undefined
}

/** The project to create. Source: docs/service.md, "Create a project". */
export interface CreateProjectRequest {
  region: string
  dockerVersion: string
  name: string
}

/** What following an execution needs of the service. */
export type ExecutionService = Pick<AutomationService, 'startAutomation' | 'executionStatus'>

/**
 * Each method sends one request and repeats nothing. It rejects with a `ServiceError`: NetworkError
 * where no complete answer came, else what `readAnswer` throws; and, with nothing sent, with a
 * URIError where a name has a lone surrogate, which no URL can hold.
 *
 * The only place that reads credentials, seed and webhook headers. It picks each member by its name,
 * so that nothing else of a caller's object is kept or sent.
 */
export class AutomationService {
  readonly #transport: Transport
  readonly #baseUrl: string
  readonly #statusBaseUrl: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(
    transport: Transport,
    { baseUrl, statusBaseUrl }: ServiceAddress,
    { apiToken, apiKey, authorizationScheme }: Credentials,
  ) {
    const authorization = authorizationScheme === 'token' ? `Token ${apiToken}` : apiToken
    this.#transport = transport
    this.#baseUrl = baseUrl
    this.#statusBaseUrl = statusBaseUrl
    this.#headers = { authorization, 'x-api-key': apiKey, accept: 'application/json' }
  }

  /**
   * Starts an execution. Any 2xx with a usable id counts as started: the documentation names both
   * 200 and 202. Source: docs/service.md, "Start an automation".
   */
  async startAutomation(request: StartRequest, signal: AbortSignal): Promise<StartAnswer> {
    const project = encodeURIComponent(request.project)
    const automation = encodeURIComponent(request.automation)
    const url = urlOf(this.#baseUrl, `/api/start-automation/${project}/${automation}`)
    return this.#post(url, startBody(request), startAnswerSchema, signal)
  }

  /** The state of an execution. Source: docs/service.md, "Check an execution". */
  async executionStatus(executionId: string, signal: AbortSignal): Promise<ExecutionStatus> {
    const path = `/api/v4/execution/${encodeURIComponent(executionId)}/status`
    const url = urlOf(this.#statusBaseUrl, path)
    const headers = { ...this.#headers }
    const answer = await this.#transport.send({ method: 'GET', url, headers }, signal)
    return readAnswer(answer, statusSchemaOf(executionId), `GET ${url.pathname}`)
  }

  /** Creates an empty project. Source: docs/service.md, "Create a project". */
  async createProject(
    { region, dockerVersion, name }: CreateProjectRequest,
    signal: AbortSignal,
  ): Promise<CreateProjectAnswer> {
    const body = JSON.stringify({ region, docker_version: dockerVersion, name })
    const url = urlOf(this.#baseUrl, '/api/create-project')
    return this.#post(url, body, createProjectAnswerSchema, signal)
  }

  async #post<Schema extends z.ZodMiniType>(
    url: URL,
    body: string,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const answer = await this.#transport.send({ method: 'POST', url, headers, body }, signal)
    return readAnswer(answer, schema, `POST ${url.pathname}`)
  }
}

function urlOf(base: string, path: string): URL {
  return new URL(base.replace(/\/+$/, '') + path)
}

/** Built as text: parsing the seed and writing it again would change numbers such as `1e400`. */
function startBody({ webhook, webhookHeaders, seed }: StartRequest): string {
  const members: string[] = []
  if (webhook !== undefined) members.push(`"webhook":${JSON.stringify(webhook)}`)
  if (webhookHeaders) members.push(`"webhook_header":${JSON.stringify(webhookHeaders)}`)
  if (seed !== undefined) members.push(`"seed":${seed}`)
  return `{${members.join(',')}}`
}
