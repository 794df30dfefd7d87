/** Reads the inputs of each action. Related inputs form a group. */
import type { Retrying } from '../../execution/follow-run.ts'
import type { Credentials, StartRequest } from '../../service/client.ts'
import type {
  BatchInputs,
  Connection,
  CreateProjectInputs,
  Delivery,
  Publishing,
  Rerun,
  RunInputs,
  StartInputs,
  StatusInputs,
  StatusSettings,
  WaitInputs,
  Waiting,
} from './action-inputs.ts'
import { dashboardAddress, serviceAddress, webhookAddress } from './address-inputs.ts'
import type { Inputs } from './inputs.ts'
import {
  anyText,
  artifactName,
  boolean,
  credential,
  duration,
  executionId,
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

export function readRunInputs(given: Inputs): Promise<RunInputs> {
  return given.all<RunInputs>({
    ...readersOfCommon(given),
    request: () => readRequest(given),
    ...readersOfWaiting(given, timeoutAboveZero),
    retrying: () => readRetrying(given),
    rerun: () => readRerun(given),
  })
}

export function readStartInputs(given: Inputs): Promise<StartInputs> {
  return given.all<StartInputs>({
    ...readersOfCommon(given),
    request: () => readRequest(given),
    rerun: () => readRerun(given),
    commitStatus: () => readStatusSettings(given),
  })
}

export function readWaitInputs(given: Inputs): Promise<WaitInputs> {
  return given.all<WaitInputs>({
    ...readersOfCommon(given),
    executionId: () => given.required('execution-id', executionId),
    ...readersOfWaiting(given, duration('0s', maxTimeout)),
    commitStatus: () => readStatusSettings(given),
  })
}

export function readBatchInputs(given: Inputs): Promise<BatchInputs> {
  return given.all<BatchInputs>({
    ...readersOfCommon(given),
    target: () => readTarget(given),
    // In a module of its own, so that other actions do not load this code.
    list: async () => (await import('./seed-list.ts')).readList(given),
    delivery: () => readDelivery(given),
    pool: () =>
      given.all({
        maxParallel: () => given.setting('max-parallel', wholeNumber(1, maxParallel)),
        failFast: () => given.setting('fail-fast', boolean),
      }),
    ...readersOfWaiting(given, timeoutAboveZero),
    retrying: () => readRetrying(given),
    rerun: () => readRerun(given),
  })
}

/** A higher limit would not help, because a batch sends at most 5 status requests a second. */
export const maxParallel = 200

export function readCreateProjectInputs(given: Inputs): Promise<CreateProjectInputs> {
  return given.all<CreateProjectInputs>({
    connection: async () => {
      const { baseUrl, credentials } = await given.all({
        baseUrl: () => given.required('base-url', serviceAddress),
        credentials: () => readCredentials(given),
      })
      return { baseUrl, statusBaseUrl: baseUrl, ...credentials }
    },
    project: () =>
      given.all({
        region: () => given.required('region', line),
        dockerVersion: () => given.required('docker-version', line),
        name: () => given.required('name', projectName),
      }),
    ifExists: () => given.setting('if-exists', oneOf('fail', 'skip')),
  })
}

/** Reads the inputs that a commit status needs, if other inputs are invalid. */
export function readStatusInputs(given: Inputs): Promise<StatusInputs> {
  return given.all<StatusInputs>({
    commitStatus: () => readStatusSettings(given),
    jobId: () => readJobId(given),
  })
}

/** Returns the readers of the inputs that all actions but `create-project` have. */
function readersOfCommon(given: Inputs) {
  return {
    connection: () => readServiceConnection(given),
    dashboard: () => given.optional('dashboard-url', dashboardAddress),
    jobId: () => readJobId(given),
  }
}

/** Returns the readers of the inputs of each action that waits for runs. */
function readersOfWaiting(given: Inputs, timeout: Reading<number>) {
  return {
    waiting: () => readWaiting(given, timeout),
    resultSchema: () => readResultSchema(given),
    publishing: () => readPublishing(given),
  }
}

async function readServiceConnection(given: Inputs): Promise<Connection> {
  const { baseUrl, statusBaseUrl, credentials } = await given.all({
    baseUrl: () => given.required('base-url', serviceAddress),
    statusBaseUrl: () => given.optional('status-base-url', serviceAddress),
    credentials: () => readCredentials(given),
  })
  return { baseUrl, statusBaseUrl: statusBaseUrl ?? baseUrl, ...credentials }
}

const mayBeMissingSecret =
  'required, but empty or not given; if it comes from a secret: a reusable workflow gets secrets only if its caller passes them (secrets: inherit); pull requests from forks get none, and Dependabot gets only its own (skip this step there); a secret of an environment needs environment: in the job'

function readCredentials(given: Inputs): Promise<Credentials> {
  return given.all<Credentials>({
    apiToken: () => given.required('api-token', tokenFor(given), mayBeMissingSecret),
    apiKey: () => given.required('api-key', credential, mayBeMissingSecret),
    authorizationScheme: () => given.setting('authorization-scheme', oneOf('token', 'bare')),
  })
}

/** With the scheme `bare`, people may put a word in front of their token. */
function tokenFor(given: Inputs): Reading<string> {
  return (text) => {
    const isBare = given.text('authorization-scheme')?.trim() === 'bare'
    if (isBare || !/^(?:token|bearer)\s/i.test(text)) return credential(text)
    throw new InputProblem(
      'starts with Token or Bearer, but the action sends Token before it; give only the token (or set authorization-scheme to bare)',
    )
  }
}

function readTarget(given: Inputs) {
  return given.all({
    project: () => given.required('project', pathSegment),
    automation: () => given.required('automation', pathSegment),
  })
}

/** Reads the inputs for the webhook to which the service sends the result. */
function readDelivery(given: Inputs): Promise<Delivery> {
  return given.all<Delivery>({
    webhook: () => given.optional('webhook', webhookAddress),
    webhookHeaders: () => given.long('webhook-headers', webhookHeaders),
  })
}

/** Reads the inputs for starting a single run. */
async function readRequest(given: Inputs): Promise<StartRequest> {
  const { target, inline, fromFile, delivery } = await given.all({
    target: () => readTarget(given),
    inline: () => given.long('seed', (text) => readSeed(text, 'inline')),
    fromFile: () => given.file('seed-file', maxSeedSize, (text) => readSeed(text, 'file')),
    only: () => given.notBoth('seed', 'seed-file', 'a run takes one seed'),
    delivery: () => readDelivery(given),
  })
  return { ...target, seed: inline ?? fromFile, ...delivery }
}

function readWaiting(given: Inputs, timeout: Reading<number>): Promise<Waiting> {
  return given.all<Waiting>({
    pollInterval: () => given.setting('poll-interval', duration('100ms', '1h')),
    timeout: () => given.setting('timeout', timeout),
    failOn: () => given.setting('fail-on', failOn),
  })
}

export const maxRetries = 10

function readRetrying(given: Inputs): Promise<Retrying> {
  return given.all<Retrying>({
    retries: () => given.setting('retries', wholeNumber(0, maxRetries)),
    retryOn: () => given.setting('retry-on', (text) => readRetryOn(text, given)),
  })
}

function readRetryOn(text: string, given: Inputs) {
  const outcomes = retryOn(text)
  // Only a schema makes a result invalid.
  if (!outcomes.has('invalid-result') || given.text('result-schema') !== undefined) return outcomes
  throw new InputProblem(
    'contains invalid-result, which needs the input result-schema; give a schema',
  )
}

function readPublishing(given: Inputs): Promise<Publishing> {
  return given.all<Publishing>({
    uploadArtifact: () => given.setting('upload-artifact', boolean),
    artifactName: () => given.optional('artifact-name', artifactName),
    // GitHub keeps an artifact for at most 400 days.
    retentionDays: () => given.optional('retention-days', wholeNumber(1, 400)),
    printResult: () => given.setting('print-result', boolean),
    printLog: () => given.setting('print-log', oneOf('on-failure', 'always', 'never')),
    summary: () => given.setting('summary', boolean),
  })
}

/** Reads the inputs for re-runs of a job. */
function readRerun(given: Inputs): Promise<Rerun> {
  return given.all<Rerun>({
    onRerun: () => given.setting('on-rerun', oneOf('resume', 'reuse', 'start')),
    rerunKey: () => given.optional('rerun-key', anyText),
    matrix: () => given.optional('matrix', anyText),
  })
}

function readStatusSettings(given: Inputs): Promise<StatusSettings> {
  return given.all<StatusSettings>({
    context: () => given.optional('commit-status', line),
    commitSha: () => given.optional('commit-sha', line),
    githubToken: () => given.optional('github-token', credential),
  })
}

/** Reads the input `job-id`. Its default is the number of the job. Old runners pass no number. */
function readJobId(given: Inputs) {
  return given.optional('job-id', anyText)
}
