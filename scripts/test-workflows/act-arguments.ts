import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import { repository } from './checkout.ts'
import type { Setup } from './setup.ts'
import type { Given, Trial } from './trial.ts'

/** The workflow, and what GitHub would know of its run. */
export function argumentsOf(trial: Trial, given: Given, sandbox: Sandbox): string[] {
  const { event, file, runId, attempt, cutOffAt } = trial
  const inputs = { ...trial.inputs, ...given.inputs }
  const variables = ['AUTOMATION_BASE_URL', 'SHARED_SERVICE_URL']
  const secrets = {
    AUTOMATION_API_TOKEN: sandbox.apiToken,
    AUTOMATION_API_KEY: sandbox.apiKey,
    SHARED_SERVICE_API_TOKEN: sandbox.apiToken,
    SHARED_SERVICE_API_KEY: sandbox.apiKey,
  }
  return [
    ...[event, '--workflows', file, '--json'],
    // Debug logging: the action prints such lines, and act shows them.
    ...(cutOffAt === undefined ? [] : ['--env', 'RUNNER_DEBUG=1', '--verbose']),
    ...(runId === undefined ? [] : ['--env', `GITHUB_RUN_ID=${runId}`]),
    ...(attempt === undefined ? [] : ['--env', `GITHUB_RUN_ATTEMPT=${attempt}`]),
    ...variables.flatMap((name) => ['--var', `${name}=${sandbox.baseUrl}`]),
    ...Object.entries(secrets).flatMap(([name, value]) => ['--secret', `${name}=${value}`]),
    ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
  ]
}

/** Where act finds the actions, and keeps what its jobs upload. */
export function placesOf(
  { checkout: { actions, origin }, artifacts, cache }: Setup,
  { attempt }: Trial,
  port: number,
): string[] {
  // A step that pulls gets the repository that it pushes to.
  const gitConfig = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${origin}.insteadOf`,
    GIT_CONFIG_VALUE_0: `https://github.com/${repository}`,
  }
  return [
    ...Object.entries(gitConfig).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    // The host itself, no containers.
    ...['--platform', 'ubuntu-latest=-self-hosted'],
    ...['--local-repository', `${repository}@v1=${actions}`],
    ...['--artifact-server-path', artifacts, '--env', `STAND_IN_ARTIFACTS=${artifacts}`],
    ...['--artifact-server-addr', '127.0.0.1', '--artifact-server-port', String(port)],
    ...(attempt === undefined
      ? ['--no-cache-server']
      : ['--cache-server-path', cache, '--cache-server-addr', '127.0.0.1']),
    // Most of them wait most of the time.
    ...['--concurrent-jobs', '6'],
  ]
}
