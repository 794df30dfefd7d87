/** Simulates the service, with its executions and signed links. */
import type { HttpRequest } from '../../src/service/http-request.ts'
import type { SeededRandom } from './seeded-random.ts'
import { untrustedMessage } from './untrusted-content.ts'
import type { Traffic, Route, StatusRecord } from './traffic.ts'
import type { Outage } from './outage.ts'
import { stateAt, type ExecutionPlan } from './execution-plan.ts'
import type { Secret } from './secrets.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import { SimulatedExecutions } from './simulated-executions.ts'
import type { StoredObject } from './stored-object.ts'

export interface Reply {
  status: number
  body: unknown
  record?: StatusRecord
  executionId?: string
}

export type FileKind = 'result' | 'log'

export interface Link {
  file: FileKind
  givenAt: number
  executionId: string
  object: StoredObject
  /** The name of the service that gave the link. */
  name: string
}

/** Passes each request of a step to a service. In a batch, each run has its own service. */
export interface ServiceFront {
  serviceFor(request: HttpRequest): SimulatedService
  find(link: string): Link | undefined
}

export interface ServiceOptions {
  clock: SimulatedClock
  random: SeededRandom
  plan: ExecutionPlan
  outage: Outage | undefined
  /** The JSON text of the seed that a start must send. */
  seed: string
  /** The files that an execution produces. */
  objects: Partial<Record<FileKind, StoredObject>>
  /** Each service of a batch has a different name. */
  name?: string
}

export class SimulatedService implements ServiceFront {
  readonly name: string
  readonly seed: string
  readonly #options: ServiceOptions
  readonly #links = new Map<string, Link>()
  readonly executions: SimulatedExecutions
  /** Whether the account has a project with the requested name. */
  #projectExists: boolean
  /** The signatures of links. A signature is a secret. */
  readonly signatures: Secret[] = []
  /** True if the service may begin to refuse checks, and may give unusable links. */
  hasFaults = true

  constructor(options: ServiceOptions) {
    this.#options = options
    this.name = options.name ?? ''
    this.seed = options.seed
    this.#projectExists = options.random.chance(0.3)
    this.executions = new SimulatedExecutions(options.plan, options.random)
  }

  serviceFor(): this {
    return this
  }

  handle(route: Route, request: HttpRequest, traffic: Traffic): Reply {
    if (route === 'status') return this.#status(request, traffic)
    return route === 'start' ? this.#start(request, traffic) : this.#createProject(traffic)
  }

  /** Returns the facts about a link, or undefined if the service did not give the link. */
  find(link: string): Link | undefined {
    return this.#links.get(link)
  }

  #start(request: HttpRequest, traffic: Traffic): Reply {
    const { random } = this.#options
    if (!request.body?.includes(`"seed":${this.seed}`))
      traffic.requestFaults.push('the seed was altered')
    const id = this.#begin(traffic)
    const names = random.pick([
      { execution_id: id },
      { exec_uuid: id },
      { exec_uuid: id, execution_id: 'another' },
    ])
    const body = { status: 'success', message: untrustedMessage(random), ...names }
    return { status: random.pick([200, 202]), body, executionId: id }
  }

  #begin(traffic: Traffic): string {
    const now = this.#options.clock.now()
    // This check ignores executions of earlier attempts. check-reruns.ts checks these executions.
    const before = this.executions.find(traffic.accepted.at(-1) ?? '')
    if (before) {
      const age = now - before.startedAt
      const { duration } = before.plan
      if (age < duration) traffic.overlaps.push(`after ${age} of ${duration} ms`)
      traffic.faults.push('retry of a failed execution')
      traffic.moments.retry.abort()
    }
    const id = this.executions.begin(now)
    traffic.accepted.push(id)
    return id
  }

  #createProject(traffic: Traffic): Reply {
    if (this.#projectExists) {
      const message = 'A project with the name "chaos" already exists'
      return { status: 400, body: { message } }
    }
    this.#projectExists = true
    traffic.accepted.push('chaos')
    return { status: 200, body: { message: untrustedMessage(this.#options.random) } }
  }

  #status({ url }: HttpRequest, traffic: Traffic): Reply {
    const { clock, random, outage, objects } = this.#options
    const asked = decodeURIComponent(url.pathname.split('/').at(-2) ?? '')
    const known = this.executions.find(asked)
    if (!known) traffic.unknownIds.push(asked)
    // For an unknown id, the service answers with the status of the last execution.
    const execution = known ?? this.executions.last
    if (!execution) return unknown
    const { plan, startedAt } = execution
    const age = clock.now() - startedAt
    if (plan.change) traffic.faults.push(plan.change)
    const hasFiles = plan.change !== 'now without files'
    if (age < plan.hiddenFor) return unknown
    if (this.hasFaults && age >= plan.revokedAt) {
      return plan.revokedWith
    }
    const state = stateAt(plan, age)
    const link = (file: FileKind) =>
      state.finished && hasFiles && objects[file] ? this.#link(file, asked, objects[file]) : null
    const links = { result_url: link('result'), logs_url: link('log') }
    const unusableLink =
      this.hasFaults && links.result_url && drawUnusableLink(random.fork(links.result_url))
    if (unusableLink) traffic.faults.push('unusable link')
    const record = { ...state, ...links, ...(unusableLink && { result_url: unusableLink }) }
    if (state.finished) outage?.begin(clock.now())
    return {
      status: 200,
      record,
      body: { exec_uuid: asked, ...record, ...unknownKeys(record, random) },
    }
  }

  #link(file: FileKind, executionId: string, object: StoredObject): string {
    const signature = this.#options.random.digits(32)
    const link = `https://store.example/${file}?X-Expires=60&X-Signature=${signature}`
    const givenAt = this.#options.clock.now()
    this.#links.set(link, { file, givenAt, executionId, object, name: this.name })
    this.signatures.push({ value: signature, core: signature })
    return link
  }
}

const unknown: Reply = { status: 404, body: { error: 'Execution not found' } }

/** Returns an unusable link in 5 % of the calls, and otherwise undefined. */
function drawUnusableLink(random: SeededRandom): string | undefined {
  if (!random.chance(0.05)) return undefined
  const store = 'https://store.example/'
  return random.pick([
    'e',
    '/result?s=1',
    `${store}\n${store}`,
    'http://store.example/r',
    'x\n'.repeat(999),
  ])
}

/** Returns no keys, or keys that the product does not know. Some values contain a signed link. */
function unknownKeys({ logs_url }: StatusRecord, random: SeededRandom): object {
  if (!random.chance(0.2)) return {}
  return { region: 'eu', console: { url: logs_url }, note: `see ${logs_url ?? 'nothing'}` }
}
