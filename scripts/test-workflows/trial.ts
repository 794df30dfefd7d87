import type { SandboxOptions } from '../../sandbox/service/sandbox.ts'
import type { ActRecord } from './record.ts'
import type { Setup } from './setup.ts'
import type { CheckResult } from './check-jobs.ts'

/** What a workflow gets where that comes from the trials before. */
export interface Given {
  /** Of a `workflow_dispatch`. */
  inputs?: Record<string, string>
  /** The event as GitHub would send it. */
  payload?: unknown
}

type Awaitable<Value> = Value | Promise<Value>

/** One workflow file, run for one event. */
export interface Trial {
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
  /** Prepares what it meets. */
  given?: (setup: Setup) => Awaitable<Given | undefined>
  /** Checks what it must have caused beside its steps. */
  check?: (setup: Setup, record: ActRecord) => Awaitable<CheckResult>
  /** Of a `workflow_dispatch`. */
  inputs?: Record<string, string>
  /** The file's commands are assertions: each is seen red for each value that it looks at. */
  seenRed?: true
  /** How many the actions upload. */
  artifacts: number
  /** A file of the branch `main` that its origin has afterwards. */
  pushed?: string
  /** Names of steps that must not run. */
  skipped?: string[]
  /** Ids of jobs that must not run. */
  skippedJobs?: string[]
}

/**
 * Trials that run one after the other and have a service and GitHub's stand-ins to themselves: the
 * later ones find what the earlier ones have started. Chains run side by side.
 */
export interface Chain {
  trials: Trial[]
  sandbox?: SandboxOptions
}
