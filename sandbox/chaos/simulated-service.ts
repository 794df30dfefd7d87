/** The service's truth: what it accepted, what became of it, and which links it gave away. */
import { seedOf } from './request-check.ts'
import type { ApiRequest } from '../../src/service/transport.ts'
import type { Dice } from './dice.ts'
import { strangeWords } from './hostile.ts'
import type { Ledger, Route, StatusRecord } from './ledger.ts'
import type { Outage } from './outage.ts'
import { stateAt, type RunPlan } from './run-plan.ts'
import type { Secret } from './secrets.ts'

export interface Reply {
  status: number
  body: unknown
  record?: StatusRecord
}

export type FileKind = 'result' | 'log'

interface Link {
  file: FileKind
  givenAt: number
}

export interface ServiceOptions {
  now: () => number
  dice: Dice
  plan: RunPlan
  /** Whether the account has a project of the wanted name already. */
  projectExists: boolean
  outage: Outage | undefined
}

export class SimulatedService {
  readonly #options: ServiceOptions
  readonly #links = new Map<string, Link>()
  /** The one run that a client may know of; a second one is an offence. */
  executionId: string
  startedAt: number | undefined
  projectExists: boolean
  /** Signatures of links: whoever has one may fetch. */
  readonly signatures: Secret[] = []
  revocable = true

  constructor(options: ServiceOptions) {
    this.#options = options
    this.projectExists = options.projectExists
    this.executionId = drawExecutionId(options.dice)
  }

  handle(route: Route, request: ApiRequest, ledger: Ledger): Reply {
    if (route === 'status') return this.#status(request)
    return route === 'start' ? this.#start(request, ledger) : this.#createProject(ledger)
  }

  /** The file and age of a link; undefined for one that was never given. */
  find(link: string): Link | undefined {
    return this.#links.get(link)
  }

  #start(request: ApiRequest, ledger: Ledger): Reply {
    const { dice, now } = this.#options
    if (seedOf(request) === undefined) ledger.complaints.push('a start without its seed as it was')
    ledger.accepted.push(this.executionId)
    this.startedAt ??= now()
    const id = this.executionId
    const names = dice.pick([
      { execution_id: id },
      { exec_uuid: id },
      { exec_uuid: id, execution_id: 'another' },
    ])
    const body = { status: 'success', message: strangeWords(dice), ...names }
    return { status: dice.pick([200, 202]), body }
  }

  #createProject(ledger: Ledger): Reply {
    if (this.projectExists) {
      const message = 'A project with the name "chaos" already exists'
      return { status: 400, body: { message } }
    }
    this.projectExists = true
    ledger.accepted.push('chaos')
    return { status: 200, body: { message: strangeWords(this.#options.dice) } }
  }

  #status({ url }: ApiRequest): Reply {
    const { plan, now, dice, outage } = this.#options
    const age = now() - (this.startedAt ?? Infinity)
    const asked = decodeURIComponent(url.pathname.split('/').at(-2) ?? '')
    if (asked !== this.executionId || !(age >= plan.hiddenFor)) {
      return { status: 404, body: { error: 'Execution not found' } }
    }
    if (this.revocable && age >= plan.revokedAt) {
      return { status: dice.pick([401, 403]), body: { detail: 'No longer allowed' } }
    }
    const state = stateAt(plan, age)
    const record = {
      ...state,
      result_url: state.finished && plan.result ? this.#link('result') : null,
      logs_url: state.finished && plan.log ? this.#link('log') : null,
    }
    if (state.finished) outage?.begin(now())
    return { status: 200, record, body: { exec_uuid: asked, ...record, ...extras(record, dice) } }
  }

  #link(file: FileKind): string {
    const signature = this.#options.dice.digits(32)
    const link = `https://store.example/${file}?X-Expires=60&X-Signature=${signature}`
    this.#links.set(link, { file, givenAt: this.#options.now() })
    this.signatures.push({ value: signature, core: signature })
    return link
  }
}

/** Unknown keys are allowed; some repeat what nobody should see. */
function extras({ logs_url }: StatusRecord, dice: Dice): object {
  if (!dice.chance(0.2)) return {}
  return { region: 'eu', console: { url: logs_url }, note: `see ${logs_url ?? 'nothing'}` }
}

function drawExecutionId(dice: Dice): string {
  const uuid = `${dice.digits(8)}-${dice.digits(4)}-4${dice.digits(3)}-a${dice.digits(3)}-${dice.digits(12)}`
  return dice.chance(0.85)
    ? uuid
    : dice.pick(['run 7?x=1#f', '../../7', 'läuf/%2e%2e', '::error::7'])
}
