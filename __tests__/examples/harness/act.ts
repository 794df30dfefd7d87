/** Runs one workflow file with act. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { openLoopbackServer } from '../../../sandbox/http/loopback-server.ts'
import { ref } from '../../../src/version.ts'
import { repository } from './checkout.ts'
import type { Setup } from './setup.ts'
import type { Given, Trial } from './trial.ts'

/** Returns the arguments `OPTION NAME=VALUE` for each value. */
export function each(option: string, values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`])
}

/** Runs act and returns its exit code. `onLine` gets each line of both streams. */
export async function runAct(
  trial: Trial,
  given: Given,
  setup: Setup,
  { stopped, onLine }: { stopped: AbortSignal; onLine: (line: string) => void },
): Promise<number> {
  const { act, checkout, github } = setup
  const port = await findFreePort()
  const target = `http://127.0.0.1:${port}/`
  await using relay = await openLoopbackServer((incoming, outgoing) =>
    relayArtifacts(target, incoming, outgoing),
  )
  const event =
    given.payload === undefined
      ? []
      : ['--eventpath', await github.write('event.json', given.payload)]
  const args = [
    ...workflowArguments(trial, given, setup),
    ...event,
    ...github.args,
    ...placeArguments(trial, setup, port),
  ]
  const { environment } = checkout
  const child = spawn(act, args, {
    cwd: checkout.folder,
    env: {
      ...environment,
      PATH: [github.bin, environment['PATH'] ?? ''].join(path.delimiter),
      ACTIONS_RUNTIME_URL: relay.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine)
  // The same signal as Ctrl-C: act then ends the processes of its jobs.
  const interrupt = () => child.kill('SIGINT')
  stopped.addEventListener('abort', interrupt)
  const [code] = (await once(child, 'close')) as [number | null]
  stopped.removeEventListener('abort', interrupt)
  return code ?? 1
}

/** Returns the arguments for the workflow: its file, event, attempt, variables, secrets and inputs. */
function workflowArguments(trial: Trial, given: Given, { sandbox }: Setup): string[] {
  const { event, file, runId, attempt, cutOffAt } = trial
  const secrets = {
    AUTOMATION_API_TOKEN: sandbox.apiToken,
    AUTOMATION_API_KEY: sandbox.apiKey,
    SHARED_SERVICE_API_TOKEN: sandbox.apiToken,
    SHARED_SERVICE_API_KEY: sandbox.apiKey,
  }
  const variables = {
    AUTOMATION_BASE_URL: sandbox.baseUrl,
    SHARED_SERVICE_URL: sandbox.baseUrl,
  }
  return [
    ...[event, '--workflows', file, '--json'],
    // `cutOffAt` is in a debug line. The action has to print debug lines, and act has to show them.
    ...(cutOffAt === undefined ? [] : ['--env', 'RUNNER_DEBUG=1', '--verbose']),
    // act does not have this variable.
    ...['--env', `GITHUB_WORKFLOW_REF=${repository}/${file}@refs/heads/main`],
    ...(runId === undefined ? [] : ['--env', `GITHUB_RUN_ID=${runId}`]),
    ...(attempt === undefined ? [] : ['--env', `GITHUB_RUN_ATTEMPT=${attempt}`]),
    ...each('--var', variables),
    ...each('--secret', secrets),
    ...each('--input', given.inputs ?? {}),
  ]
}

/** Returns the arguments for the folders of actions, artifacts and cache entries. */
function placeArguments({ attempt }: Trial, setup: Setup, port: number): string[] {
  const { checkout, artifacts, cache } = setup
  return [
    // `git pull` in a step reads the repository that `git push` writes to.
    ...each('--env', {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${checkout.origin}.insteadOf`,
      GIT_CONFIG_VALUE_0: `https://github.com/${repository}`,
      STAND_IN_ARTIFACTS: artifacts,
    }),
    // Steps run on this machine, without containers.
    ...['--platform', 'ubuntu-latest=-self-hosted'],
    ...['--local-repository', `${repository}@${ref}=${checkout.actions}`],
    ...['--artifact-server-path', artifacts],
    ...['--artifact-server-addr', '127.0.0.1', '--artifact-server-port', String(port)],
    ...(attempt === undefined
      ? ['--no-cache-server']
      : ['--cache-server-path', cache, '--cache-server-addr', '127.0.0.1']),
    // A job mostly waits, so six can run at the same time.
    ...['--concurrent-jobs', '6'],
  ]
}

/**
 * Forwards a request to act's artifact server, and removes two conflicts between act 0.2.87 and the
 * artifact client 6.2. act refuses requests with the field `mime_type`, which its copy of the protocol
 * does not have. A value in act's upload addresses ends with a bare `=`, which the client drops.
 */
async function relayArtifacts(target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method = 'POST', url = '/', headers } = incoming
  const body = (await text(incoming)).replace(/,\s*"mime_?[tT]ype"\s*:\s*"[^"]*"/, '')
  const { 'content-type': type = 'application/json', authorization = '' } = headers
  const length = Buffer.byteLength(body)
  const forward = request(new URL(url, target), {
    method,
    headers: { 'content-type': type, 'content-length': length, authorization },
  })
  forward.end(body)
  const [answer] = (await once(forward, 'response')) as [IncomingMessage]
  const answered = withEscapedAddress(await text(answer))
  outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' }).end(answered)
}

function withEscapedAddress(answer: string): string {
  return answer.replace(/(?<="signed_?upload_?url"\s*:\s*")[^"]*/i, (address) => {
    const { origin, pathname, searchParams } = new URL(address)
    const query = [...searchParams].map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return `${origin}${pathname}?${query.join('&')}`
  })
}

async function findFreePort(): Promise<number> {
  await using server = await openLoopbackServer(() => Promise.resolve())
  return Number(new URL(server.url).port)
}
