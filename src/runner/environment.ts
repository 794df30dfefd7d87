/** Reads the runner's environment variables: inputs, the workspace, and the workflow run. */
import path from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the untrimmed text of an input. Empty if the runner did not pass the input. */
export function inputText(environment: Environment, name: string): string {
  return environment[`INPUT_${name.toUpperCase()}`] ?? ''
}

/** Returns the workspace folder, or the working directory if GITHUB_WORKSPACE is not set. */
export function workspaceOf(environment: Environment): string {
  return path.resolve(environment['GITHUB_WORKSPACE'] ?? '')
}

/** `jobId` is the input `job-id`. Unless this is a number, the link leads to the workflow run. */
export function workflowRunOf(environment: Environment, jobId = '') {
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
    /** The URL of the job, or of this attempt of the run. Undefined outside of a workflow. */
    url:
      page && `${page}${/^\d+$/.test(jobId) ? `/job/${jobId}` : attempt && `/attempts/${attempt}`}`,
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

/** Returns the attempt number of the workflow run, or 1 if the number is missing or invalid. */
export function attemptOf({ GITHUB_RUN_ATTEMPT: attempt = '' }: Environment): number {
  return /^[1-9]\d{0,8}$/.test(attempt) ? Number(attempt) : 1
}

export function artifactPageOf(environment: Environment, artifactId: number): string {
  return `${pageOf(environment) ?? ''}/artifacts/${artifactId}`
}
