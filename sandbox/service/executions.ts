import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { startAutomation } from './automation-process.ts'
import { follow, stop, type Execution } from './execution.ts'
import type { Links } from './links.ts'
import type { Settings } from './options.ts'
import type { AcceptedStart } from './start-request.ts'
import { flagsOf, type Flags, type ScriptedStatus, type StatusRecord } from './status-record.ts'
import type { Webhooks } from './webhooks.ts'

export interface Order {
  project: string
  automation: string
  file: string
  start: AcceptedStart
}

/** Every run of the service. */
export class Executions {
  readonly all: Execution[] = []
  readonly #settings: Settings
  /** Temporary folder in which every execution gets one of its own. */
  readonly #folder: string
  readonly #links: Links
  readonly #webhooks: Webhooks
  readonly #scriptsForNext: ScriptedStatus[][] = []

  constructor(settings: Settings, folder: string, links: Links, webhooks: Webhooks) {
    this.#settings = settings
    this.#folder = folder
    this.#links = links
    this.#webhooks = webhooks
  }

  async start({ project, automation, file, start }: Order): Promise<Execution> {
    const id = randomUUID()
    const { now } = this.#settings
    const execution: Execution = {
      id,
      project,
      automation,
      seedText: start.seedText,
      folder: join(this.#folder, id),
      startedAt: now(),
      finishedAt: undefined,
      flags: flagsOf({}),
      resultType: 'application/json',
      script: this.#scriptsForNext.shift() ?? [],
      process: undefined,
      isStopped: false,
      ended: Promise.resolve(),
      over: Promise.resolve(),
    }
    this.all.push(execution)
    const process = startAutomation(file, execution.folder, start.seedText)
    execution.ended = follow(execution, process, now)
    execution.over = execution.ended.then(() => this.#webhooks.deliver(execution, start))
    await process
    return execution
  }

  find(id: string): Execution | undefined {
    return this.all.find((execution) => execution.id === id)
  }

  /** Throws when there is no such execution. */
  stop(id: string): void {
    stop(this.#get(id))
  }

  script(id: string, entries: readonly ScriptedStatus[]): void {
    if (id === 'next') this.#scriptsForNext.push([...entries])
    else this.#get(id).script = [...entries]
  }

  /** The status record, with new links where the run is over and kept. */
  async status(execution: Execution): Promise<StatusRecord> {
    const { script } = execution
    const scripted = (script.length > 1 ? script.shift() : script[0]) ?? 'real'
    if (scripted === 'real') return this.#record(execution, execution.flags)
    const flags = flagsOf(scripted)
    const { exec_uuid, result_url, logs_url } = scripted
    // A scripted end has real links unless it names others: they need the run's real end.
    const needsEnd = result_url === undefined || logs_url === undefined
    if (flags.finished && needsEnd) await execution.ended
    const record = this.#record(execution, flags)
    return {
      ...record,
      exec_uuid: exec_uuid ?? record.exec_uuid,
      result_url: result_url === undefined ? record.result_url : result_url,
      logs_url: logs_url === undefined ? record.logs_url : logs_url,
    }
  }

  /** Ends every run that still goes on. */
  async close(): Promise<void> {
    for (const execution of this.all) stop(execution)
    await Promise.all(this.all.map(({ over }) => over))
  }

  #record(execution: Execution, flags: Flags): StatusRecord {
    const { keep } = this.#settings
    const linked = flags.finished && keep && execution.finishedAt !== undefined
    return {
      exec_uuid: execution.id,
      ...flags,
      result_url: linked ? this.#links.issue(execution, 'result') : null,
      logs_url: linked ? this.#links.issue(execution, 'log') : null,
    }
  }

  #get(id: string): Execution {
    const execution = this.find(id)
    if (!execution) throw new Error(`no execution with the id ${id}`)
    return execution
  }
}
