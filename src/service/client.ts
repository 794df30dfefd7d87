/** The client of the Automation Hosting Service. It has one method per endpoint and no retries. */
import type { output, ZodMiniType } from 'zod/mini'
import type { CreateProjectAnswer, ExecutionStatus, StartAnswer } from './contract.ts'
import type { Answer, Transport } from './transport.ts'

/** Loads the code that reads responses. */
const loadAnswers = () => import('./read-answer.ts')

/** The credentials of every request. Source: docs/contributing/service.md, "Authentication". */
export interface Credentials {
  apiToken: string
  apiKey: string
  /** `token` sends `Token <api token>`, as documented. `bare` sends only the API token. */
  authorizationScheme: 'token' | 'bare'
}

/** The two base addresses as absolute URLs. Source: docs/contributing/service.md, "Routes". */
export interface ServiceAddress {
  baseUrl: string
  statusBaseUrl: string
}

/** The automation to start. Source: docs/contributing/service.md, "Start an automation". */
export interface StartRequest {
  project: string
  automation: string
  /** The JSON text of an object. The text is sent unchanged. */
  seed?: string | undefined
  /** The URL that gets the result. If undefined, the service uses the automation's own webhook. */
  webhook?: string | undefined
  webhookHeaders?: Record<string, string> | undefined
}

/** The project to create. Source: docs/contributing/service.md, "Create a project". */
interface CreateProjectRequest {
  region: string
  dockerVersion: string
  name: string
}

/**
 * A client of the service. Each method sends one request without retries. A method rejects with
 * NetworkError if no complete response arrives, or with an error of `readAnswer`. A URL cannot
 * contain a lone surrogate. If a name has one, a method sends nothing and rejects with URIError.
 * The signal `untilAnswered` ends a request. The signal `untilConnected` ends it only as long as no
 * connection is made.
 *
 * Only this class sends credentials, seed and webhook headers. The class reads each member by name,
 * so that no other member of an object is stored or sent.
 */
export class AutomationService {
  readonly #transport: Transport
  readonly #baseUrl: string
  readonly #statusBaseUrl: string
  readonly #headers: Readonly<Record<string, string>>
  /** True once the service has accepted the credentials: a request got a valid 2xx response. */
  #isProven = false

  constructor(
    transport: Transport,
    { baseUrl, statusBaseUrl, apiToken, apiKey, authorizationScheme }: ServiceAddress & Credentials,
  ) {
    const authorization = authorizationScheme === 'token' ? `Token ${apiToken}` : apiToken
    this.#transport = transport
    this.#baseUrl = baseUrl
    this.#statusBaseUrl = statusBaseUrl
    this.#headers = { authorization, 'x-api-key': apiKey, accept: 'application/json' }
  }

  /**
   * Starts an execution. Returns the start that an answer proves, with its status: each 2xx with a
   * usable id, because the documentation names both 200 and 202, and some errors with an id. Source:
   * docs/contributing/service.md, "Sending again".
   */
  async startAutomation(
    request: StartRequest,
    untilAnswered: AbortSignal,
    untilConnected: AbortSignal,
  ): Promise<StartAnswer> {
    const project = encodeURIComponent(request.project)
    const automation = encodeURIComponent(request.automation)
    const url = new URL(`${this.#baseUrl}/api/start-automation/${project}/${automation}`)
    const answer = await this.#post(url, startBody(request), untilAnswered, untilConnected)
    const { readStartAnswer } = await loadAnswers()
    const started = readStartAnswer(answer, `POST ${url.pathname}`, this.#isProven)
    this.#isProven ||= started.status < 300
    return started
  }

  /** Checks an execution. Source: docs/contributing/service.md, "Check an execution". */
  async executionStatus(executionId: string, signal: AbortSignal): Promise<ExecutionStatus> {
    const path = `/api/v4/execution/${encodeURIComponent(executionId)}/status`
    const url = new URL(this.#statusBaseUrl + path)
    const headers = { ...this.#headers }
    const request = { method: 'GET', url, headers, onSent } as const
    const answer = await this.#transport.send(request, signal)
    const { statusSchemaOf } = await loadAnswers()
    return await this.#read(answer, statusSchemaOf(executionId), `GET ${url.pathname}`)
  }

  /** Creates an empty project. Source: docs/contributing/service.md, "Create a project". */
  async createProject(
    { region, dockerVersion, name }: CreateProjectRequest,
    untilAnswered: AbortSignal,
    untilConnected: AbortSignal,
  ): Promise<CreateProjectAnswer> {
    const body = JSON.stringify({ region, docker_version: dockerVersion, name })
    const url = new URL(`${this.#baseUrl}/api/create-project`)
    const answer = await this.#post(url, body, untilAnswered, untilConnected)
    const { createProjectAnswerSchema } = await loadAnswers()
    return await this.#read(answer, createProjectAnswerSchema, `POST ${url.pathname}`)
  }

  async #read<Schema extends ZodMiniType>(
    answer: Answer,
    schema: Schema,
    asked: string,
  ): Promise<output<Schema>> {
    const { readAnswer } = await loadAnswers()
    const value = readAnswer(answer, schema, asked, this.#isProven)
    this.#isProven = true
    return value
  }

  #post(
    url: URL,
    body: string,
    untilAnswered: AbortSignal,
    untilConnected: AbortSignal,
  ): Promise<Answer> {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const request = { method: 'POST', url, headers, body, onSent } as const
    return this.#transport.send(request, untilAnswered, untilConnected)
  }
}

/** Loads the code while the response is awaited. An error is ignored here, because it occurs again. */
function onSent(): void {
  loadAnswers().catch(() => undefined)
}

/** Builds the body as text, because parsing the seed would change numbers such as `1e400`. */
function startBody({ webhook, webhookHeaders, seed }: StartRequest): string {
  const members: string[] = []
  if (webhook !== undefined) members.push(`"webhook":${JSON.stringify(webhook)}`)
  if (webhookHeaders) members.push(`"webhook_header":${JSON.stringify(webhookHeaders)}`)
  if (seed !== undefined) members.push(`"seed":${seed}`)
  return `{${members.join(',')}}`
}
