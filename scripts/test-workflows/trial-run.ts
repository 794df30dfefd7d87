import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import { openLoopbackServer } from '../../sandbox/runner/loopback-server.ts'
import { messageOf } from '../../src/errors.ts'
import { runAct } from './act.ts'
import { argumentsOf, placesOf } from './act-arguments.ts'
import { openArtifactRelay } from './artifact-relay.ts'
import { checkArtifacts } from './artifacts.ts'
import { git } from './checkout.ts'
import { together } from './evidence.ts'
import { expectOf } from './expectation.ts'
import { addRedSteps } from './red-steps.ts'
import { ActRecord } from './record.ts'
import { checkSecrets } from './secrets.ts'
import type { Setup } from './setup.ts'
import type { Given, Trial } from './trial.ts'
import { checkJobs, checkCutOff, type CheckResult } from './check-jobs.ts'

// Milliseconds.
const maxToCut = 120_000

/** Runs one workflow file with act and compares what happened with what the file says. */
export async function runTrial(trial: Trial, setup: Setup): Promise<CheckResult> {
  try {
    const given = (await trial.given?.(setup)) ?? {}
    const record = new ActRecord()
    const results = await runGiven(trial, given, setup, record)
    const checked = await trial.check?.(setup, record)
    return together(...results, ...(checked ? [checked] : []))
  } catch (error) {
    return { passed: [], problems: [messageOf(error)] }
  }
}

async function runGiven(
  trial: Trial,
  given: Given,
  setup: Setup,
  record: ActRecord,
): Promise<CheckResult[]> {
  const { checkout, sandbox, github } = setup
  const expected = expectOf(parse(await prepare(trial, checkout.folder)), trial)
  const { code, isCut } = await runWithAct(trial, given, setup, record)
  const jobs = [...record.jobs.values()]
  const result =
    trial.cutOffAt === undefined
      ? checkJobs(expected, jobs)
      : checkCutOff(jobs, { text: trial.cutOffAt, isCut })
  if (code !== 0 && !isCut && result.problems.length === 0) {
    result.problems.push([`act ended with ${code}`, ...record.other.slice(-10)].join('\n    '))
  }
  const credentials = [sandbox.apiToken, sandbox.apiKey, ...github.credentials]
  return [
    result,
    checkSecrets(jobs, credentials),
    await checkArtifacts(setup.artifacts, trial.artifacts),
    checkPush(checkout.origin, trial.pushed),
  ]
}

async function runWithAct(trial: Trial, given: Given, setup: Setup, record: ActRecord) {
  const { act, checkout, sandbox, github, interrupted } = setup
  const { folder, environment } = checkout
  const { payload } = given
  const port = await findFreePort()
  await using relay = await openArtifactRelay(`http://127.0.0.1:${port}/`)
  const cut = new AbortController()
  const onLine = (line: string) => {
    record.add(line)
    if (trial.cutOffAt !== undefined && line.includes(trial.cutOffAt)) cut.abort()
  }
  const event = payload === undefined ? [] : ['--eventpath', await github.writeEvent(payload)]
  const places = placesOf(setup, trial, port)
  const code = await runAct({
    act,
    folder,
    onLine,
    interrupted: AbortSignal.any([interrupted, cut.signal, ...givenUp(trial)]),
    args: [...argumentsOf(trial, given, sandbox), ...event, ...github.args, ...places],
    environment: {
      ...environment,
      PATH: [github.bin, environment['PATH'] ?? ''].join(path.delimiter),
      ACTIONS_RUNTIME_URL: relay.url,
    },
  })
  return { code, isCut: cut.signal.aborted }
}

/** Where the line to be cut off at never comes, act would go on for as long as the action waits. */
function givenUp({ cutOffAt }: Trial): AbortSignal[] {
  return cutOffAt === undefined ? [] : [AbortSignal.timeout(maxToCut)]
}

function checkPush(origin: string, file: string | undefined): CheckResult {
  if (file === undefined) return { passed: [], problems: [] }
  const arrived = git(origin, 'ls-tree', '--name-only', 'main', file).trim() === file
  const passed = arrived ? [`${file} was pushed`] : []
  return { passed, problems: arrived ? [] : [`${file} was not pushed`] }
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

async function findFreePort(): Promise<number> {
  await using server = await openLoopbackServer(() => Promise.resolve())
  return Number(new URL(server.url).port)
}
