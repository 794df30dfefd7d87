/** The run of the workflow that this step belongs to, as the runner's variables say. */
import type { Environment } from './inputs/environment.ts'

export function workflowRunOf(environment: Environment) {
  const read = (name: string): string => environment[`GITHUB_${name}`] ?? ''
  const page = pageOf(environment)
  const attempt = read('RUN_ATTEMPT')
  return {
    repository: read('REPOSITORY'),
    workflow: read('WORKFLOW'),
    job: read('JOB'),
    run_id: read('RUN_ID'),
    run_attempt: attempt,
    event: read('EVENT_NAME'),
    ref: read('REF'),
    sha: read('SHA'),
    /** The page of this attempt; undefined outside a workflow. */
    url: page && attempt ? `${page}/attempts/${attempt}` : page,
  }
}

function pageOf(environment: Environment): string | undefined {
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: run,
  } = environment
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined
}

/** Which attempt of the workflow run this is; 1 where nobody says. */
export function attemptOf({ GITHUB_RUN_ATTEMPT: attempt = '' }: Environment): number {
  return /^[1-9]\d{0,8}$/.test(attempt) ? Number(attempt) : 1
}

/** Where the page of an uploaded artifact is. */
export function artifactPageOf(environment: Environment, artifactId: number): string {
  return `${pageOf(environment) ?? ''}/artifacts/${artifactId}`
}
