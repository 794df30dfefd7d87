/**
 * Composes the JSON object that describes a run. `execution.json` and a line of `results.jsonl` are
 * such an object, and the outputs `results` and `status` are parts of it.
 */
import type { Conclusion } from '../execution/conclusion.ts'
import { problemsIn, statusOf, type RunReport } from '../execution/report.ts'
import type { ExecutionStatus } from '../service/contract.ts'
import { version } from '../version.ts'
import { causeWords } from './cause.ts'
import type { LinkOf } from './run-link.ts'
import type { Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** The facts of a run that both a single run and a run of a batch have. */
export interface RunFacts {
  executionId: string | undefined
  conclusion: Conclusion
  /** The number of executions. */
  attempts: number
  /** How long the run took, in milliseconds. Undefined if not known. */
  duration: number | undefined
  /** Why the run did not succeed, or why its result is missing. */
  cause: string | undefined
  /** Paths relative to the folder of the step, so that they are also correct in the artifact. */
  resultFile: string | undefined
  logFile: string | undefined
  /** What {@link followedMembers} returns. Undefined if the step did not follow the run. */
  followed: object | undefined
}

/** The facts that all runs of a step share. */
export interface StepFacts {
  project: string | undefined
  automation: string | undefined
  /** The facts of the workflow run, redacted. */
  workflowRun: unknown
  linkOf: LinkOf
}

const maxCause = 1_000

/** Returns the members of the object. They are always the same, and null if they are not known. */
export function runMembers(run: RunFacts, step: StepFacts, show: Show) {
  const text = (value: string | undefined) => (value === undefined ? null : show(value))
  return {
    execution_id: text(run.executionId),
    execution_url: text(step.linkOf(run.executionId)),
    project: text(step.project),
    automation: text(step.automation),
    conclusion: run.conclusion,
    attempts: run.attempts,
    duration_seconds: run.duration === undefined ? null : Math.round(run.duration / 1000),
    cause: run.cause === undefined ? null : inline(show(run.cause), maxCause),
    result_file: run.resultFile ?? null,
    log_file: run.logFile ?? null,
    ...(run.followed ?? notFollowed),
    workflow_run: step.workflowRun,
    action: `run-automation ${version}`,
  }
}

const notFollowed = {
  started_at: null,
  finished_at: null,
  executions: [],
  status: null,
  result_problems: null,
}

/**
 * Returns the members that need the report of the run. `maxProblems` is the maximum total length of
 * the problems of its result, because a batch keeps the problems of up to 10,000 runs in memory.
 */
export function followedMembers(
  { startedOn, finishedOn, executions, end }: RunReport,
  show: Show,
  maxProblems = Infinity,
): Record<keyof typeof notFollowed, unknown> {
  let rest = maxProblems
  const status = statusOf(end)
  const problems = problemsIn(end)
  return {
    started_at: startedOn.toISOString(),
    finished_at: finishedOn.toISOString(),
    executions: executions.map((execution) => ({
      execution_id: show(execution.executionId),
      conclusion: execution.conclusion,
      cause: show(causeWords(execution.cause)) || null,
      started_at: execution.startedOn.toISOString(),
      finished_at: execution.finishedOn.toISOString(),
    })),
    status: status ? statusMembers(status, show) : null,
    result_problems: problems
      ? {
          count: problems.count,
          first: problems.lines.filter(({ length }) => (rest -= length) >= 0),
        }
      : null,
  }
}

export function statusOutput(status: ExecutionStatus | undefined, show: Show): string {
  return status ? JSON.stringify(statusMembers(status, show)) : ''
}

/** Returns the flags and the id. The links are left out, because anybody can open a signed link. */
function statusMembers(
  { finished, error, stopped, container_error, exec_uuid }: ExecutionStatus,
  show: Show,
) {
  const id = exec_uuid == null ? null : show(exec_uuid)
  return { finished, error, stopped, container_error, exec_uuid: id }
}
