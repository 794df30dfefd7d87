/** Types for the trials of workflow files. A chain is a list of trials that share services. */
import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import type { Checkout, ClonedCheckout } from './checkout.ts'
import type { GithubSide } from './github-side.ts'
import type { ActRecord, Unusual } from './record.ts'

/** Shared by all chains. */
export interface Place {
  act: string
  checkout: Checkout
  interrupted: AbortSignal
}

/**
 * Shared by the trials of a chain, which run one after the other. Later trials find the runs that
 * earlier trials started. Some trials write into the checkout.
 */
export interface Setup extends Place, AsyncDisposable {
  checkout: ClonedCheckout
  /** The service for all jobs of the chain. */
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

export interface Trial extends Unusual {
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
   * The number of the attempt. All attempts of a chain share the entries of act's cache server. Without
   * a number, act has no cache server.
   */
  attempt?: number
  /** Ends act at the first line that has this text. The steps are then not checked. */
  cutOffAt?: string
  /** The status answers for the run that the trial starts or, in a later attempt, takes over. */
  script?: ScriptedStatus[]
  /** Prepares the services that the trial uses, and returns inputs for the workflow. */
  given?: (setup: Setup) => Given | undefined | Promise<Given | undefined>
  /** Throws if the effects of the trial on the services are wrong. */
  check?: (setup: Setup, record: ActRecord) => unknown
  /** The inputs of a `workflow_dispatch` or a `workflow_call`. */
  inputs?: Record<string, string>
  /** True if the file's commands are assertions. A copy of each with one wrong value must fail. */
  hasAssertions?: true
  /** The number of artifacts that the actions upload. */
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
