/** The inputs of a trial of a workflow file, and what the trials of a chain share. */
import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import type { Checkout } from './checkout.ts'
import type { GithubSide } from './github-side.ts'
import type { ActRecord, Skipped } from './record.ts'

/** Shared by all chains. */
export interface Place {
  act: string
  checkout: Checkout
  interrupted: AbortSignal
}

/**
 * Shared by the trials of a chain, which run one after the other. Later trials find the runs that
 * earlier ones started. Some write into the checkout.
 */
export interface Setup extends Place, AsyncDisposable {
  /** The service that outlives the jobs. */
  sandbox: Sandbox
  github: GithubSide
  /** The folder in which act's artifact server keeps uploads. */
  artifacts: string
  /** The folder in which act's cache server keeps its entries. */
  cache: string
}

/** The inputs of a workflow that come from earlier trials. */
export interface Given {
  /** The inputs of a `workflow_dispatch` or a `workflow_call`. */
  inputs?: Record<string, string>
  /** The event as GitHub would send it. */
  payload?: unknown
}

export interface Trial extends Skipped {
  file: string
  event:
    | 'push'
    | 'schedule'
    | 'workflow_dispatch'
    | 'workflow_call'
    | 'pull_request'
    | 'repository_dispatch'
    | 'workflow_run'
  /** The id of the workflow run, if a later trial needs it. */
  runId?: string
  /**
   * The attempt of that run. All attempts share act's cache server. Without an attempt there is
   * none.
   */
  attempt?: number
  /** act is ended at the first line of a step that has this text: its steps are not checked then. */
  cutOffAt?: string
  /** How the service answers for the run that it starts or, in a later attempt, takes over. */
  script?: ScriptedStatus[]
  /** Prepares the services that the trial uses. */
  given?: (setup: Setup) => Given | Promise<Given | undefined>
  /** Throws if the trial did not have its effect outside of its steps. */
  check?: (setup: Setup, record: ActRecord) => unknown
  /** The inputs of a `workflow_dispatch` or a `workflow_call`. */
  inputs?: Record<string, string>
  /** The file's commands are assertions: each is seen red for each value that it looks at. */
  seenRed?: true
  /** How many the actions upload. */
  artifacts: number
}

/** A trial of a file in `examples`. */
export function example(
  file: string,
  event: Trial['event'],
  artifacts: number,
  more: Partial<Trial> = {},
): Trial {
  return { file: `examples/${file}`, event, artifacts, ...more }
}
