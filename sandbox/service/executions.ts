import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { runAutomation, type Outcome } from './automation-process.ts'
import type { Execution } from './execution.ts'
import type { Links } from './links.ts'
import type { Settings } from './options.ts'
import type { AcceptedStart } from './start-request.ts'
import { flagsOf, type Flags, type ScriptedStatus, type StatusRecord } from './status-record.ts'
import type { Webhooks } from './webhooks.ts'

export interface NewExecution {
  project: string
  automation: string
  file: string
  start: AcceptedStart
}

/** All executions of the sandbox. */
export class Executions {
  readonly all: Execution[] = []
  readonly #settings: Settings
  /** A temporary folder with a folder for each execution. */
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

  start({ project, automation, file, start }: NewExecution): Execution {
    const id = randomUUID()
    const execution: Execution = {
      id,
      project,
      automation,
      seedText: start.seedText,
      folder: join(this.#folder, id),
      startedAt: this.#settings.now(),
      finishedAt: undefined,
      flags: flagsOf({}),
      resultType: 'application/json',
      script: this.#scriptsForNext.shift() ?? [],
      stopping: new AbortController(),
      ended: Promise.resolve(),
    }
    this.all.push(execution)
    execution.ended = this.#follow(execution, file, start)
    return execution
  }

  find(id: string): Execution | undefined {
    return this.all.find((execution) => execution.id === id)
  }

  /** Stops a run, as a person does in the dashboard. A finished run does not change. */
  stop(id: string): void {
    this.#get(id).stopping.abort()
  }

  script(id: string, entries: readonly ScriptedStatus[]): void {
    if (id === 'next') this.#scriptsForNext.push([...entries])
    else this.#get(id).script = [...entries]
  }

  /** Returns the status record, with new links if the run has finished and its files are kept. */
  async status(execution: Execution): Promise<StatusRecord> {
    const { script } = execution
    const scripted = (script.length > 1 ? script.shift() : script[0]) ?? 'real'
    if (scripted === 'real') return this.#record(execution, execution.flags)
    const flags = flagsOf(scripted)
    const { exec_uuid, result_url, logs_url } = scripted
    // A scripted end without links gets the real links, which exist only after the real end.
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

  /** Ends all running executions. */
  async close(): Promise<void> {
    for (const { stopping } of this.all) stopping.abort()
    await Promise.all(this.all.map(({ ended }) => ended))
  }

  async #follow(execution: Execution, file: string, start: AcceptedStart): Promise<void> {
    const { signal } = execution.stopping
    const outcome = await runAutomation(file, execution.folder, start.seedText, signal).catch(
      (): Outcome => ({ kind: 'killed' }),
    )
    execution.finishedAt = this.#settings.now()
    if (outcome.kind === 'returned') execution.resultType = outcome.contentType
    execution.flags = flagsOf({ finished: true, ...failureOf(outcome, signal.aborted) })
    await this.#webhooks.deliver(execution, start)
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

function failureOf(outcome: Outcome, isStopped: boolean): Partial<Flags> {
  switch (outcome.kind) {
    case 'returned':
      return {}
    case 'raised':
      return { error: true }
    case 'killed':
      return isStopped ? { stopped: true } : { container_error: true }
  }
}
