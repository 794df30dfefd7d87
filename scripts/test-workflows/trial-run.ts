import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { parse } from 'yaml'
import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import { runAct } from './act.ts'
import { openArtifactRelay } from './artifact-relay.ts'
import { judgeArtifacts } from './artifacts.ts'
import { git, repository, type Checkout } from './checkout.ts'
import { expectOf } from './expectation.ts'
import { addRedSteps } from './red-steps.ts'
import { ActRecord } from './record.ts'
import { judgeSecrets } from './secrets.ts'
import type { Trial } from './trials.ts'
import { judge, type Verdict } from './verdict.ts'

export interface Stage {
  act: string
  checkout: Checkout
  /** The service that outlives the jobs. */
  sandbox: Sandbox
  interrupted: AbortSignal
}

/** Runs one workflow file with act and holds what happened against what the file promises. */
export async function runTrial(trial: Trial, stage: Stage): Promise<Verdict> {
  const { act, checkout, sandbox, interrupted } = stage
  const { folder, environment } = checkout
  const expected = expectOf(parse(await prepare(trial, folder)), trial.skipped)
  const port = await findFreePort()
  await using relay = await openArtifactRelay(`http://127.0.0.1:${port}/`)
  const record = new ActRecord()
  const code = await runAct({
    act,
    folder,
    interrupted,
    args: [...argumentsOf(trial, sandbox), ...placesOf(checkout, port)],
    environment: { ...environment, ACTIONS_RUNTIME_URL: relay.url },
    onLine: record.add,
  })
  const verdict = judge(expected, record.jobs.values())
  if (code !== 0 && verdict.problems.length === 0) {
    verdict.problems.push([`act ended with ${code}`, ...record.other.slice(-10)].join('\n    '))
  }
  const verdicts = [
    verdict,
    judgeSecrets(record.jobs.values(), [sandbox.apiToken, sandbox.apiKey]),
    await judgeArtifacts(checkout.artifacts, trial.artifacts),
    judgePush(checkout.origin, trial.pushed),
  ]
  return {
    proofs: verdicts.flatMap(({ proofs }) => proofs),
    problems: verdicts.flatMap(({ problems }) => problems),
  }
}

function judgePush(origin: string, file: string | undefined): Verdict {
  if (file === undefined) return { proofs: [], problems: [] }
  const arrived = git(origin, 'ls-tree', '--name-only', 'main', file).trim() === file
  const proofs = arrived ? [`${file} was pushed`] : []
  return { proofs, problems: arrived ? [] : [`${file} was not pushed`] }
}

/** The workflow as it is to run. */
async function prepare({ file, seenRed }: Trial, folder: string): Promise<string> {
  const workflowFile = path.join(folder, file)
  const workflow = await readFile(workflowFile, 'utf8')
  if (seenRed !== true) return workflow
  const withRedSteps = addRedSteps(workflow)
  await writeFile(workflowFile, withRedSteps)
  return withRedSteps
}

function argumentsOf({ event, file, inputs = {} }: Trial, sandbox: Sandbox): string[] {
  const variables = ['AUTOMATION_BASE_URL', 'SHARED_SERVICE_URL']
  const secrets = {
    AUTOMATION_API_TOKEN: sandbox.apiToken,
    AUTOMATION_API_KEY: sandbox.apiKey,
    SHARED_SERVICE_API_TOKEN: sandbox.apiToken,
    SHARED_SERVICE_API_KEY: sandbox.apiKey,
  }
  return [
    ...[event, '--workflows', file, '--json'],
    ...variables.flatMap((name) => ['--var', `${name}=${sandbox.baseUrl}`]),
    ...Object.entries(secrets).flatMap(([name, value]) => ['--secret', `${name}=${value}`]),
    ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
  ]
}

function placesOf({ actions, artifacts }: Checkout, port: number): string[] {
  return [
    // The host itself, no containers.
    ...['--platform', 'ubuntu-latest=-self-hosted'],
    ...['--local-repository', `${repository}@v1=${actions}`],
    ...['--artifact-server-path', artifacts],
    ...['--artifact-server-addr', '127.0.0.1', '--artifact-server-port', String(port)],
    '--no-cache-server',
    // Most of them wait most of the time.
    ...['--concurrent-jobs', '6'],
  ]
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port is free')
  return address.port
}
