import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { parse } from 'yaml'
import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import { messageOf } from '../../src/errors.ts'
import { runAct } from './act.ts'
import { openArtifactRelay } from './artifact-relay.ts'
import { judgeArtifacts } from './artifacts.ts'
import { git, repository, type Checkout } from './checkout.ts'
import { expectOf } from './expectation.ts'
import { addRedSteps } from './red-steps.ts'
import { ActRecord } from './record.ts'
import { judgeSecrets } from './secrets.ts'
import type { Stage } from './stage.ts'
import type { Given, Trial } from './trial.ts'
import { judge, type Verdict } from './verdict.ts'

/** Runs one workflow file with act and holds what happened against what the file promises. */
export async function runTrial(trial: Trial, stage: Stage): Promise<Verdict> {
  try {
    const given = (await trial.given?.(stage)) ?? {}
    const verdicts = await runGiven(trial, given, stage)
    const brought = await trial.brought?.(stage)
    const all = brought ? [...verdicts, brought] : verdicts
    return {
      proofs: all.flatMap(({ proofs }) => proofs),
      problems: all.flatMap(({ problems }) => problems),
    }
  } catch (error) {
    return { proofs: [], problems: [messageOf(error)] }
  }
}

async function runGiven(trial: Trial, given: Given, stage: Stage): Promise<Verdict[]> {
  const { act, checkout, sandbox, github, interrupted } = stage
  const { folder, environment } = checkout
  const expected = expectOf(parse(await prepare(trial, folder)), trial.skipped)
  const port = await findFreePort()
  await using relay = await openArtifactRelay(`http://127.0.0.1:${port}/`)
  const record = new ActRecord()
  const event =
    given.payload === undefined ? [] : ['--eventpath', await github.writeEvent(given.payload)]
  const code = await runAct({
    ...{ act, folder, interrupted, onLine: record.add },
    args: [
      ...argumentsOf(trial, given, sandbox),
      ...event,
      ...github.args,
      ...placesOf(checkout, port),
    ],
    environment: {
      ...environment,
      PATH: [github.bin, environment['PATH'] ?? ''].join(path.delimiter),
      ACTIONS_RUNTIME_URL: relay.url,
    },
  })
  const verdict = judge(expected, record.jobs.values())
  if (code !== 0 && verdict.problems.length === 0) {
    verdict.problems.push([`act ended with ${code}`, ...record.other.slice(-10)].join('\n    '))
  }
  const credentials = [sandbox.apiToken, sandbox.apiKey, ...github.credentials]
  return [
    verdict,
    judgeSecrets(record.jobs.values(), credentials),
    await judgeArtifacts(checkout.artifacts, trial.artifacts),
    judgePush(checkout.origin, trial.pushed),
  ]
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

function argumentsOf(trial: Trial, given: Given, sandbox: Sandbox): string[] {
  const { event, file, runId } = trial
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
    ...(runId === undefined ? [] : ['--env', `GITHUB_RUN_ID=${runId}`]),
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
