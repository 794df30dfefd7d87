/** The Automation Hosting Service: one short method per endpoint, one try per call. */
import type { z } from 'zod'
import {
  createProjectAnswerSchema,
  executionStatusSchema,
  startAnswerSchema,
  type CreateProjectAnswer,
  type ExecutionStatus,
  type StartAnswer,
} from './contract.ts'
import { errorWordsOf } from './error-words.ts'
import { MalformedAnswerError, notTheService, RedirectError, HttpError } from './errors.ts'
import { parseAnswer } from './json-answer.ts'
import type { CreateProjectRequest, StartRequest } from './requests.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { Answer, ApiRequest, Transport } from './transport.ts'
import { isWebPage } from './web-page.ts'

export interface Credentials {
  apiToken: string
  apiKey: string
  /** `token` is the documented form (`Token <API_TOKEN>`); `bare` is the one of its examples. */
  authorizationScheme: 'token' | 'bare'
}

export interface ServiceAddress {
  baseUrl: string
  statusBaseUrl: string
}

export class AutomationService {
  readonly #transport: Transport
  readonly #address: ServiceAddress
  readonly #headers: Record<string, string>

  constructor(transport: Transport, address: ServiceAddress, credentials: Credentials) {
    this.#transport = transport
    this.#address = address
    this.#headers = authentication(credentials)
  }

  /** "2. Start automation". The document names 200 and 202; what counts is a usable id. */
  async startAutomation(request: StartRequest, signal: AbortSignal): Promise<StartAnswer> {
    const path = `/api/start-automation/${segment(request.project)}/${segment(request.automation)}`
    return this.#post(path, startBody(request), startAnswerSchema, signal)
  }

  /** "3. Check an execution". Each call is an ordinary, counted API call. */
  async executionStatus(executionId: string, signal: AbortSignal): Promise<ExecutionStatus> {
    const path = `/api/v4/execution/${segment(executionId)}/status`
    const url = join(this.#address.statusBaseUrl, path)
    return this.#call({ method: 'GET', url, headers: this.#headers }, executionStatusSchema, signal)
  }

  /** "1. Create project". */
  async createProject(
    { region, dockerVersion, name }: CreateProjectRequest,
    signal: AbortSignal,
  ): Promise<CreateProjectAnswer> {
    const body = JSON.stringify({ region, docker_version: dockerVersion, name })
    return this.#post('/api/create-project', body, createProjectAnswerSchema, signal)
  }

  async #post<Schema extends z.ZodType>(
    path: string,
    body: string,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const url = join(this.#address.baseUrl, path)
    return this.#call({ method: 'POST', url, headers, body }, schema, signal)
  }

  async #call<Schema extends z.ZodType>(
    request: ApiRequest,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const answer = await this.#transport.send(request, signal)
    throwUnlessSuccess(answer)
    const json = parseAnswer(answer.body)
    const parsed = schema.safeParse(json)
    if (parsed.success) return parsed.data
    const why = json === undefined ? describeText(answer) : describe(parsed.error)
    throw new MalformedAnswerError(answer, why)
  }
}

function authentication({ apiToken, apiKey, authorizationScheme }: Credentials) {
  const authorization = authorizationScheme === 'token' ? `Token ${apiToken}` : apiToken
  return { authorization, 'x-api-key': apiKey, accept: 'application/json' }
}

/** Built as text: parsing the seed and writing it again would change numbers such as `1e400`. */
function startBody({ webhook, webhookHeaders, seed }: StartRequest): string {
  const members: string[] = []
  if (webhook !== undefined) members.push(`"webhook":${JSON.stringify(webhook)}`)
  if (webhookHeaders) members.push(`"webhook_header":${JSON.stringify(webhookHeaders)}`)
  if (seed !== undefined) members.push(`"seed":${seed}`)
  return `{${members.join(',')}}`
}

function segment(name: string): string {
  return encodeURIComponent(name)
}

function join(base: string, path: string): URL {
  return new URL(base.replace(/\/+$/, '') + path)
}

function throwUnlessSuccess(answer: Answer): void {
  const { status, headers } = answer
  if (status >= 200 && status < 300) return
  if (status >= 300 && status < 400) throw new RedirectError(status, headers.location)
  if (status < 400 || status > 599)
    throw new MalformedAnswerError(answer, 'no such status is known')
  throw new HttpError({
    status,
    ...errorWordsOf(parseAnswer(answer.body), answer.body),
    retryAfter: parseRetryAfter(headers['retry-after'], answer.receivedAt),
  })
}

/** What came instead of JSON. */
function describeText(answer: Answer): string {
  if (isWebPage(answer)) return notTheService
  return answer.body.trim() === '' ? 'it is empty' : 'it is not JSON'
}

function describe(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
    .join('; ')
}
