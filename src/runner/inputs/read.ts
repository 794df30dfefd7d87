/** Reads the inputs of each action. Related inputs form a group. */
import { dashboardAddress, serviceAddress, webhookAddress } from './addresses.ts'
import type { Inputs } from './inputs.ts'
import {
  anyText,
  artifactName,
  boolean,
  credential,
  duration,
  failOn,
  InputProblem,
  line,
  maxTimeout,
  oneOf,
  pathSegment,
  projectName,
  retryOn,
  timeoutAboveZero,
  wholeNumber,
  type Reading,
} from './readings.ts'
import { readResultSchema } from './result-schema.ts'
import { maxSeedSize, readSeed } from './seed.ts'
import { webhookHeaders } from './webhook-headers.ts'

export async function readRunInputs(given: Inputs) {
  return {
    connection: readServiceConnection(given),
    dashboard: readDashboard(given),
    request: await readRequest(given),
    waiting: readWaiting(given, timeoutAboveZero),
    retrying: await readRetrying(given),
    publishing: readPublishing(given),
    rerun: readRerun(given),
    jobId: readJobId(given),
  }
}

export async function readStartInputs(given: Inputs) {
  return {
    connection: readServiceConnection(given),
    dashboard: readDashboard(given),
    request: await readRequest(given),
    rerun: readRerun(given),
    commitStatus: readCommitStatus(given),
    jobId: readJobId(given),
  }
}

export async function readWaitInputs(given: Inputs) {
  return {
    connection: readServiceConnection(given),
    dashboard: readDashboard(given),
    executionId: given.required('execution-id', pathSegment),
    waiting: readWaiting(given, duration('0s', maxTimeout)),
    resultSchema: await readResultSchema(given),
    publishing: readPublishing(given),
    commitStatus: readCommitStatus(given),
    jobId: readJobId(given),
  }
}

export function readCreateProjectInputs(given: Inputs) {
  const baseUrl = given.required('base-url', serviceAddress)
  return {
    connection: { baseUrl, statusBaseUrl: baseUrl, ...readCredentials(given) },
    project: {
      region: given.required('region', line),
      dockerVersion: given.required('docker-version', line),
      name: given.required('name', projectName),
    },
    ifExists: given.setting('if-exists', oneOf('fail', 'skip')),
  }
}

export type RunInputs = Awaited<ReturnType<typeof readRunInputs>>
export type StartInputs = Awaited<ReturnType<typeof readStartInputs>>
export type WaitInputs = Awaited<ReturnType<typeof readWaitInputs>>
export type CreateProjectInputs = ReturnType<typeof readCreateProjectInputs>
export type RerunInputs = ReturnType<typeof readRerun>
export type OnRerun = RerunInputs['onRerun']

export function readServiceConnection(given: Inputs) {
  const baseUrl = given.required('base-url', serviceAddress)
  const statusBaseUrl = given.optional('status-base-url', serviceAddress) ?? baseUrl
  return { baseUrl, statusBaseUrl, ...readCredentials(given) }
}

const mayBeMissingSecret =
  'required, but empty or not given; if it comes from a secret: a reusable workflow gets secrets only if its caller passes them (secrets: inherit); pull requests from forks get none, and Dependabot gets only its own (skip this step there); a secret of an environment needs environment: in the job'

function readCredentials(given: Inputs) {
  const apiToken = given.required('api-token', credential, mayBeMissingSecret)
  const apiKey = given.required('api-key', credential, mayBeMissingSecret)
  const authorizationScheme = given.setting('authorization-scheme', oneOf('token', 'bare'))
  if (authorizationScheme === 'token' && /^(?:token|bearer)\s/i.test(apiToken)) {
    given.problem(
      'api-token',
      'starts with Token or Bearer, but the action sends Token before it; give only the token (or set authorization-scheme to bare)',
    )
  }
  return { apiToken, apiKey, authorizationScheme }
}

export function readDashboard(given: Inputs) {
  return given.optional('dashboard-url', dashboardAddress)
}

export function readTarget(given: Inputs) {
  return {
    project: given.required('project', pathSegment),
    automation: given.required('automation', pathSegment),
  }
}

/** Reads the inputs for the webhook to which the service sends the result. */
export async function readDelivery(given: Inputs) {
  return {
    webhook: given.optional('webhook', webhookAddress),
    webhookHeaders: await given.long('webhook-headers', webhookHeaders),
  }
}

/** Reads the inputs for starting a single run. */
async function readRequest(given: Inputs) {
  const { project, automation } = readTarget(given)
  const inline = await given.long('seed', (text) => readSeed(text, 'inline'))
  const fromFile = await given.file('seed-file', maxSeedSize, (text) => readSeed(text, 'file'))
  given.notBoth('seed', 'seed-file', 'a run takes one seed')
  const { webhook, webhookHeaders } = await readDelivery(given)
  return { project, automation, seed: inline ?? fromFile, webhook, webhookHeaders }
}

export function readWaiting(given: Inputs, timeout: Reading<number>) {
  return {
    pollInterval: given.setting('poll-interval', duration('100ms', '1h')),
    timeout: given.setting('timeout', timeout),
    failOn: given.setting('fail-on', failOn),
  }
}

export const maxRetries = 10

/** Reads the inputs for the validation of the result and for retries. */
export async function readRetrying(given: Inputs) {
  return {
    resultSchema: await readResultSchema(given),
    retries: given.setting('retries', wholeNumber(0, maxRetries)),
    retryOn: given.setting('retry-on', (text) => {
      const outcomes = retryOn(text)
      // Only a schema makes a result invalid.
      if (!outcomes.has('invalid-result') || given.text('result-schema') !== undefined) {
        return outcomes
      }
      throw new InputProblem(
        'contains invalid-result, which needs the input result-schema; give a schema',
      )
    }),
  }
}

export function readPublishing(given: Inputs) {
  return {
    uploadArtifact: given.setting('upload-artifact', boolean),
    artifactName: given.optional('artifact-name', artifactName),
    // GitHub keeps an artifact for at most 400 days.
    retentionDays: given.optional('retention-days', wholeNumber(1, 400)),
    printResult: given.setting('print-result', boolean),
    printLog: given.setting('print-log', oneOf('on-failure', 'always', 'never')),
    summary: given.setting('summary', boolean),
  }
}

/** Reads the inputs for re-runs of a job. */
export function readRerun(given: Inputs) {
  return {
    onRerun: given.setting('on-rerun', oneOf('resume', 'reuse', 'start')),
    rerunKey: given.optional('rerun-key', anyText),
    matrix: given.optional('matrix', anyText) ?? '',
  }
}

/** Reads the inputs that a commit status needs, if other inputs are invalid. */
export function readStatusInputs(given: Inputs) {
  return { commitStatus: readCommitStatus(given), jobId: readJobId(given) }
}

export type StatusInputs = ReturnType<typeof readStatusInputs>

function readCommitStatus(given: Inputs) {
  return {
    commitStatus: given.optional('commit-status', line),
    commitSha: given.optional('commit-sha', line),
    githubToken: given.optional('github-token', credential),
  }
}

/** Reads the number of the job. Its default comes from the runner. Old runners pass no number. */
export function readJobId(given: Inputs) {
  return given.optional('job-id', anyText)
}
