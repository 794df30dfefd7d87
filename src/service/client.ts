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
import {
  RequestBuilder,
  type CreateProjectRequest,
  type Credentials,
  type ServiceAddress,
  type StartRequest,
} from './requests.ts'
import type { ApiRequest, Transport } from './transport.ts'

/** What following an execution needs of the service. */
export type ExecutionService = Pick<AutomationService, 'startAutomation' | 'executionStatus'>

/**
 * Each method sends one request and repeats nothing. It rejects with a `ServiceError`: NetworkError
 * where no complete answer came, else what `readAnswer` throws; and, with nothing sent, with a
 * URIError where a name has a lone surrogate.
 */
export class AutomationService {
  readonly #transport: Transport
  readonly #requests: RequestBuilder

  constructor(transport: Transport, address: ServiceAddress, credentials: Credentials) {
    this.#transport = transport
    this.#requests = new RequestBuilder(address, credentials)
  }

  /**
   * Starts an execution. Any 2xx with a usable id counts as started: the documentation names both
   * 200 and 202. Source: docs/service.md, "Start an automation".
   */
  async startAutomation(request: StartRequest, signal: AbortSignal): Promise<StartAnswer> {
    return this.#call(this.#requests.start(request), startAnswerSchema, signal)
  }

  /** The state of an execution. Source: docs/service.md, "Check an execution". */
  async executionStatus(executionId: string, signal: AbortSignal): Promise<ExecutionStatus> {
    return this.#call(this.#requests.status(executionId), statusSchemaOf(executionId), signal)
  }

  /** Creates an empty project. Source: docs/service.md, "Create a project". */
  async createProject(
    request: CreateProjectRequest,
    signal: AbortSignal,
  ): Promise<CreateProjectAnswer> {
    return this.#call(this.#requests.createProject(request), createProjectAnswerSchema, signal)
  }

  async #call<Schema extends z.ZodMiniType>(
    request: ApiRequest,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const { method, url } = request
    return readAnswer(
      await this.#transport.send(request, signal),
      schema,
      `${method} ${url.pathname}`,
    )
  }
}
