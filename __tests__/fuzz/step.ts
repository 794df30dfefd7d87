/** One action against real sockets, in this process, at many times the usual pace. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { productActions } from '../../sandbox/simulation/product-actions.ts'
import { StepRecord } from '../../sandbox/simulation/step-record.ts'
import { readActionFile } from '../../sandbox/runner/action-file.ts'
import type { Connect } from '../../src/actions/connect.ts'
import { systemClock, type Clock } from '../../src/clock.ts'
import type { Environment } from '../../src/runner/inputs/environment.ts'
import { createLog } from '../../src/runner/log.ts'
import { Outputs } from '../../src/runner/outputs.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { failedBy, type Step, type Verdict } from '../../src/runner/step.ts'
import { AutomationService } from '../../src/service/client.ts'
import { HttpStore } from '../../src/download/store.ts'
import { HttpTransport, transportLimits } from '../../src/service/transport.ts'
import { userAgent } from '../support/connections.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { openStorage } from '../../src/runner/storage/step-storage.ts'

type ActionName = 'start' | 'wait'

export interface Performed {
  passed: boolean
  /** Whether nothing came of it within any bound. */
  hung: boolean
  /** The error annotations. */
  errors: string[]
  /** The bytes of the output `result-file`. */
  result: Buffer | undefined
}

// How many seconds of the step pass in a real one. Sockets keep to real time.
const pace = 30
const limits = { ...transportLimits, stallTimeout: 2_000, total: 2_500 }
/** Real milliseconds; every bound of a step together takes a fraction of it. */
const longest = 25_000

const fastClock: Clock = {
  now: () => performance.now() * pace,
  date: () => new Date(),
  sleep: (span, signal) => systemClock.sleep(span / pace, signal),
}

/** Lets an action of this folder meet the service at this address. */
export type Perform = (action: 'start' | 'wait', baseUrl: string) => Promise<Performed>

export async function performHere(action: ActionName, baseUrl: string): Promise<Performed> {
  await using folder = await makeTemporaryFolder()
  const recording = new StepRecord()
  const step = await stepIn(folder.path, await inputsOf(action, baseUrl), recording)
  const ended = new AbortController()
  const late = delay(longest, 'hung' as const, { signal: ended.signal }).catch(
    () => 'hung' as const,
  )
  const running = productActions[action](step, connect).catch((error: unknown) =>
    failedBy(error, step, ''),
  )
  const verdict = await Promise.race([running, late])
  ended.abort()
  if (verdict !== 'hung') report(verdict, step)
  const file = recording.output('result-file')
  return {
    passed: verdict !== 'hung' && verdict.kind === 'passed',
    hung: verdict === 'hung',
    errors: recording.annotations.filter(({ level }) => level === 'error').map(({ text }) => text),
    result: file === '' ? undefined : await readFile(file),
  }
}

async function stepIn(
  folder: string,
  inputs: Environment,
  { console, outputs }: StepRecord,
): Promise<Step> {
  const secrets = new Secrets(() => undefined)
  const summary = path.join(folder, 'summary.md')
  await writeFile(summary, '')
  return {
    clock: fastClock,
    random: () => 0.5,
    environment: {
      ...inputs,
      RUNNER_TEMP: folder,
      GITHUB_WORKSPACE: folder,
      GITHUB_STEP_SUMMARY: summary,
    },
    secrets,
    log: createLog(console, secrets),
    outputs: new Outputs(secrets, (name, value) => void outputs.set(name, value)),
    cancelled: new AbortController().signal,
    bundleFolder: folder,
  }
}

async function inputsOf(action: ActionName, baseUrl: string): Promise<Environment> {
  const { defaults } = await readActionFile(action)
  const inputs = {
    ...defaults,
    'base-url': baseUrl,
    'api-token': 'token-7f3a',
    'api-key': 'key-91bc',
    ...(action === 'start'
      ? { project: 'demo', automation: 'daily' }
      : { 'execution-id': 'e-1', timeout: '60s', 'upload-artifact': 'false' }),
  }
  const pairs = Object.entries(inputs).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ])
  return Object.fromEntries(pairs) as Environment
}

/** As the real entry does: whatever failed, it is told once. */
function report(verdict: Verdict, { log }: Step): void {
  if (verdict.kind === 'failed') log.failure(verdict.annotation)
}

const connect: Connect = (_action, connection) => ({
  service: new AutomationService(new HttpTransport(userAgent, limits), connection, connection),
  store: new HttpStore(userAgent, { stallTimeout: limits.stallTimeout, loopback: true }),
  openStorage,
})
