/** The run of the workflow that this step belongs to, as the runner's variables say. */
import type { Environment } from './inputs/environment.ts'

export function workflowRunOf(environment: Environment) {
  const read = (name: string): string => environment[`GITHUB_${name}`] ?? ''
  const run = {
    repository: read('REPOSITORY'),
    run_id: read('RUN_ID'),
    attempt: read('RUN_ATTEMPT'),
  }
  return {
    repository: run.repository,
    workflow: read('WORKFLOW'),
    job: read('JOB'),
    run_id: run.run_id,
    run_attempt: run.attempt,
    event: read('EVENT_NAME'),
    ref: read('REF'),
    sha: read('SHA'),
    /** The page of this attempt; undefined outside a workflow. */
    url: pageOf(read('SERVER_URL'), run),
  }
}

function pageOf(
  server: string,
  run: { repository: string; run_id: string; attempt: string },
): string | undefined {
  if (!server || !run.repository || !run.run_id) return undefined
  const attempt = run.attempt ? `/attempts/${run.attempt}` : ''
  return `${server}/${run.repository}/actions/runs/${run.run_id}${attempt}`
}

/** Which attempt of the workflow run this is; 1 where nobody says. */
export function attemptOf({ GITHUB_RUN_ATTEMPT: attempt = '' }: Environment): number {
  return /^[1-9]\d{0,8}$/.test(attempt) ? Number(attempt) : 1
}

/** Where the page of an uploaded artifact is. */
export function artifactPageOf(environment: Environment, artifactId: number): string {
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: run,
  } = environment
  return `${server ?? ''}/${repository ?? ''}/actions/runs/${run ?? ''}/artifacts/${artifactId}`
}
