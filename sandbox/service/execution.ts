import type { Account } from './accounts.ts'
import type { Outcome, RunningAutomation } from './automation-process.ts'
import { flagsOf, StatusScript, type Flags } from './status-record.ts'

/** One run as tests see it. Moments are milliseconds since the epoch. */
export interface Execution {
  readonly id: string
  readonly project: string
  readonly automation: string
  readonly flags: Flags
  readonly startedAt: number
  readonly finishedAt: number | undefined
  /** The seed's text, character for character as the service received it. */
  readonly seedText: string | undefined
  /** Resolves when the run is over and its webhook was called. */
  readonly over: Promise<void>
}

export interface ExecutionFacts {
  id: string
  account: Account
  project: string
  automation: string
  seedText: string | undefined
  /** Where `result` and `run.log` are. */
  folder: string
  /** Whether its automation is set to keep result and log. */
  kept: boolean
  startedAt: number
}

export class HostedExecution implements Execution {
  readonly id: string
  readonly account: Account
  readonly project: string
  readonly automation: string
  readonly seedText: string | undefined
  readonly folder: string
  readonly kept: boolean
  readonly startedAt: number
  finishedAt: number | undefined
  flags: Flags = flagsOf({})
  resultType = 'application/json'
  script = new StatusScript([])
  over: Promise<void> = Promise.resolve()
  /** Resolves when the automation's process has ended. */
  ended: Promise<void> = Promise.resolve()
  #process: RunningAutomation | undefined
  #stopped = false

  constructor(facts: ExecutionFacts) {
    this.id = facts.id
    this.account = facts.account
    this.project = facts.project
    this.automation = facts.automation
    this.seedText = facts.seedText
    this.folder = facts.folder
    this.kept = facts.kept
    this.startedAt = facts.startedAt
  }

  follow(starting: Promise<RunningAutomation>, now: () => number): void {
    const killed = (): Outcome => ({ kind: 'killed' })
    this.ended = starting
      .then((process) => {
        this.#process = process
        if (this.#stopped) process.kill()
        return process.ended
      })
      .catch(killed)
      .then((outcome) => {
        this.finishedAt = now()
        if (outcome.kind === 'returned') this.resultType = outcome.contentType
        this.flags = flagsOf({ finished: true, ...failureOf(outcome, this.#stopped) })
      })
  }

  /** As from the dashboard. A run that is over stays as it is. */
  stop(): void {
    if (this.flags.finished) return
    this.#stopped = true
    this.#process?.kill()
  }
}

function failureOf(outcome: Outcome, stopped: boolean): Partial<Flags> {
  switch (outcome.kind) {
    case 'returned':
      return {}
    case 'raised':
      return { error: true }
    case 'killed':
      return stopped ? { stopped: true } : { container_error: true }
  }
}
