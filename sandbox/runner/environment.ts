import { machineEnvironment } from '../machine-environment.ts'
import type { ActionFile } from './action-file.ts'
import type { CacheService } from './cache-service.ts'
import { evaluateExpressions } from './expressions.ts'
import type { GithubApi } from './github-api.ts'
import type { StepFolders } from './step-folders.ts'

const systems: Partial<Record<NodeJS.Platform, string>> = { win32: 'Windows', darwin: 'macOS' }

export interface EnvironmentParts {
  action: ActionFile
  inputs: Record<string, string>
  folders: StepFolders
  /** Undefined if the runner has no artifact service. */
  artifacts: { url: string; token: string } | undefined
  /** Undefined if the runner has no cache. */
  cache: Pick<CacheService, 'url' | 'token' | 'protocol'> | undefined
  /** Undefined if the runner has no token for GitHub's REST API. */
  githubApi: Pick<GithubApi, 'url' | 'token'> | undefined
  /** The event that started the workflow. */
  event: WorkflowEvent
  /** Added last, so these variables override all others. */
  env: Record<string, string>
}

export interface WorkflowEvent {
  name: string
  payload: object
}

/** Returns the environment of a step, as GitHub's runner sets it for a workflow on `main`. */
export function buildEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { action, folders, event, githubApi } = parts
  return {
    ...machineEnvironment(),
    ...inputVariables(defaultsOf(action, parts)),
    ...inputVariables(parts.inputs),
    ...run,
    GITHUB_EVENT_NAME: event.name,
    ...(githubApi && { GITHUB_API_URL: githubApi.url }),
    ...describeFolders(folders),
    ...describeServices(parts),
    ...parts.env,
  }
}

function defaultsOf({ defaults }: ActionFile, { event, githubApi }: EnvironmentParts) {
  const github = {
    event: event.payload,
    event_name: event.name,
    repository: run.GITHUB_REPOSITORY,
    sha: run.GITHUB_SHA,
    token: githubApi?.token ?? '',
  }
  const pairs = Object.entries(defaults).map(([name, text]) => {
    return [name, evaluateExpressions(text, { github, job: { check_run_id: 777 } })] as const
  })
  return Object.fromEntries(pairs)
}

// Capitals make `Timeout` and `timeout` the same input. Hyphens do not change.
function inputVariables(inputs: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(inputs).map(([name, value]): [string, string] => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ])
  return Object.fromEntries(pairs)
}

// These values are the same in every step, so that transcripts can be compared.
const run = {
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_ACTION: '__self',
  GITHUB_ACTOR: 'octocat',
  GITHUB_API_URL: 'https://api.github.com',
  GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql',
  GITHUB_JOB: 'report',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_REF_NAME: 'main',
  GITHUB_REPOSITORY: 'owner/repo',
  GITHUB_REPOSITORY_OWNER: 'owner',
  GITHUB_RETENTION_DAYS: '90',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_RUN_ID: '4200',
  GITHUB_RUN_NUMBER: '42',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
  GITHUB_WORKFLOW: 'Report',
  RUNNER_ARCH: process.arch === 'arm64' ? 'ARM64' : 'X64',
  RUNNER_ENVIRONMENT: 'self-hosted',
  RUNNER_NAME: 'sandbox',
  RUNNER_OS: systems[process.platform] ?? 'Linux',
}

export function describeServices({
  artifacts,
  cache,
}: Pick<EnvironmentParts, 'artifacts' | 'cache'>): Record<string, string> {
  // A runner with v1 (GHES, act) sets no ACTIONS_RESULTS_URL without an artifact service.
  const results = artifacts ?? (cache?.protocol === 'v2' ? cache : undefined)
  const token = artifacts?.token ?? cache?.token
  return {
    ...(results && { ACTIONS_RUNTIME_URL: results.url, ACTIONS_RESULTS_URL: results.url }),
    ...(token !== undefined && { ACTIONS_RUNTIME_TOKEN: token }),
    ...(cache && { ACTIONS_CACHE_URL: cache.url }),
    ...(cache?.protocol === 'v2' && { ACTIONS_CACHE_SERVICE_V2: 'True' }),
  }
}

function describeFolders({ temp, workspace, toolCache, eventFile, files }: StepFolders) {
  return {
    GITHUB_ENV: files.env,
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_OUTPUT: files.output,
    GITHUB_PATH: files.path,
    GITHUB_STATE: files.state,
    GITHUB_STEP_SUMMARY: files.summary,
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: toolCache,
  }
}
