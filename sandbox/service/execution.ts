import type { Outcome, RunningAutomation } from './automation-process.ts'
import { flagsOf, type Flags, type ScriptedStatus } from './status-record.ts'

/** One run. Moments are milliseconds since the epoch. */
export interface Execution {
  readonly id: string
  readonly project: string
  readonly automation: string
  /** The seed's text, character for character as the service received it. */
  readonly seedText: string | undefined
  /** Where `result` and `run.log` are. */
  readonly folder: string
  readonly startedAt: number
  finishedAt: number | undefined
  flags: Flags
  resultType: string
  /** One entry per status call; the last one stays. */
  script: ScriptedStatus[]
  process: RunningAutomation | undefined
  isStopped: boolean
  /** Resolves when the automation's process has ended. */
  ended: Promise<void>
  /** Resolves when the run is over and its webhook was called. */
  over: Promise<void>
}

/** Resolves when the automation's process has ended, and the run says how. */
export async function follow(
  execution: Execution,
  starting: Promise<RunningAutomation>,
  now: () => number,
): Promise<void> {
  const outcome = await outcomeOf(execution, starting)
  execution.finishedAt = now()
  if (outcome.kind === 'returned') execution.resultType = outcome.contentType
  execution.flags = flagsOf({ finished: true, ...failureOf(outcome, execution.isStopped) })
}

async function outcomeOf(
  execution: Execution,
  starting: Promise<RunningAutomation>,
): Promise<Outcome> {
  try {
    execution.process = await starting
    if (execution.isStopped) execution.process.kill()
    return await execution.process.ended
  } catch {
    return { kind: 'killed' }
  }
}

/** As from the dashboard. A run that is over stays as it is. */
export function stop(execution: Execution): void {
  if (execution.flags.finished) return
  execution.isStopped = true
  execution.process?.kill()
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
