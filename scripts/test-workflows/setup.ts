/** What a trial of a workflow file is given, and what the trials of a chain share. */
import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import type { Checkout } from './checkout.ts'
import type { GithubSide } from './github-side.ts'
import type { ActRecord, Skipped } from './record.ts'

/** What all chains share. */
export interface Place {
  act: string
  checkout: Checkout
  interrupted: AbortSignal
}

/**
 * What the trials of a chain share, the checkout among it: some write into it. They run one after
 * the other: the later ones find what the earlier ones have started.
 */
export interface Setup extends Place, AsyncDisposable {
  /** The service that outlives the jobs. */
  sandbox: Sandbox
  github: GithubSide
  /** Where act's artifact server keeps what was uploaded. */
  artifacts: string
  /** Where act's cache server keeps its entries. */
  cache: string
}

/** What a workflow gets where that comes from the trials before. */
export interface Given {
  /** Of a `workflow_dispatch`. */
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
    | 'pull_request'
    | 'repository_dispatch'
    | 'workflow_run'
  /** Id of the workflow's run, where a later one asks for it. */
  runId?: string
  /** Which attempt of that run this is. All attempts share act's cache server; without, there is none. */
  attempt?: number
  /** act is ended at the first line of a step that has this text: its steps are not checked then. */
  cutOffAt?: string
  /** How the service answers for the run that it starts or, in a later attempt, takes over. */
  script?: ScriptedStatus[]
  /** Prepares what it meets. */
  given?: (setup: Setup) => Given | Promise<Given | undefined>
  /** Throws where it has not caused what it must, beside its steps. */
  check?: (setup: Setup, record: ActRecord) => unknown
  /** Of a `workflow_dispatch`. */
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
