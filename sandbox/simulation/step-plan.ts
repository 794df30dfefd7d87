/** Draws the inputs and the faults of one step. */
import type { SeededRandom } from './seeded-random.ts'
import type { Moment } from './traffic.ts'

export type ActionName = 'run' | 'start' | 'wait' | 'batch' | 'create-project'

/** A fault that affects a whole scenario. */
export type Disruption = 'outage' | 'disk-full' | 'none'

/** A seed whose text changes if the seed is parsed and serialized again. */
export const seed = '{"big":1e400,"exact":1.0}'

/** The commit that receives the statuses. */
const commit = '0123456789abcdef0123456789abcdef01234567'

export interface BatchPart {
  seeds: readonly { text: string; label: string }[]
  maxParallel: number
  failFast: boolean
}

/** The probability that a request fails, from 0 to 1. */
export interface FaultRates {
  service: number
  store: number
  cache: number
}

export const noFaults: FaultRates = { service: 0, store: 0, cache: 0 }

export function drawRates(random: SeededRandom): FaultRates {
  const cache = random.fork('rate of cache').pick([0, 0, 0, 0.2, 0.6])
  return { service: drawRate(random), store: drawRate(random), cache }
}

function drawRate(random: SeededRandom): number {
  return random.pick([0, 0.1, 0.3, 0.6, 0.9])
}

export interface StepPlan {
  action: ActionName
  inputs: Record<string, string>
  /** The `timeout` in milliseconds. 0 means a single check. */
  timeout: number
  failOn: readonly string[]
  /** Whether results are checked against a schema. No result matches this schema. */
  isChecked: boolean
  /** How many executions may follow the first one. */
  retries: number
  retryOn: readonly string[]
  ifExists: 'fail' | 'skip'
  onRerun: 'resume' | 'reuse' | 'start'
  /** The environment variables that the runner sets. */
  variables: Record<string, string>
  /** The time until the runner cancels the step, in milliseconds. Undefined for no cancellation. */
  cancelAfter: number | undefined
  /** The runner cancels or kills the step soon after such a moment. Undefined for never. */
  cancelOn: Moment | undefined
  killOn: Moment | undefined
  /** The time until the process is killed, in milliseconds. Undefined if it is not killed. */
  killAfter: number | undefined
  faultRates: FaultRates
  /** Which files cannot be written because the disk is full. */
  full: 'outputs' | 'summary' | 'temp' | undefined
  /** How many outputs can be written. Infinity means no limit. */
  outputsTaken: number
  batch?: BatchPart
}

/** Only `wait` accepts the first one, which means a single check. */
const timeouts = new Map([
  ['0s', 0],
  ['1s', 1_000],
  ['20s', 20_000],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['2h30m', 9_000_000],
])

export function drawStepPlan(action: ActionName, random: SeededRandom): StepPlan {
  const waits = action === 'wait' ? [...timeouts] : [...timeouts].slice(1)
  const [timeoutInput, timeout] = random.pick(waits)
  const failOn = drawFailOn(random)
  const ifExists = random.pick(['fail', 'skip'])
  const onRerun = random.fork('again').pick(['resume', 'resume', 'reuse', 'start'])
  const canCheck = action === 'run' || action === 'wait' || action === 'batch'
  const isChecked = canCheck && random.fork('schema').chance(0.25)
  const retrying = drawRetrying(action, isChecked, random.fork('retries'))
  const hasStatus = random.fork('commit status').chance(0.4)
  return {
    action,
    inputs: {
      ...(action === 'create-project'
        ? { 'if-exists': ifExists }
        : waitingInputs(random, timeoutInput, isChecked ? [...failOn, 'invalid-result'] : failOn)),
      ...(action === 'run' || action === 'start' ? { seed } : {}),
      retries: String(retrying.retries),
      'retry-on': retrying.retryOn.join(),
      'on-rerun': onRerun,
      ...(hasStatus && { 'commit-status': 'automation/daily_report', 'commit-sha': commit }),
      ...(isChecked && { 'result-schema': '{"const":"never"}' }),
    },
    ...retrying,
    timeout,
    failOn,
    isChecked,
    ifExists,
    onRerun,
    cancelAfter: drawCancellation({ timeout }, random),
    faultRates: drawRates(random),
    ...enoughSpace,
    ...planDefaults,
  }
}

/** Returns no retries for actions without the input `retries`. */
function drawRetrying(action: ActionName, isChecked: boolean, random: SeededRandom) {
  if (action !== 'run' && action !== 'batch') return noRetries
  const retryOn = random.pick([['container-error'], ['error'], ['error', 'container-error']])
  const retries = random.pick([0, 1, 2, 10])
  const isInvalidRetried = isChecked && random.chance(0.5)
  return { retries, retryOn: isInvalidRetried ? [...retryOn, 'invalid-result'] : retryOn }
}

const noRetries: Pick<StepPlan, 'retries' | 'retryOn'> = { retries: 0, retryOn: [] }

const planDefaults = {
  cancelOn: undefined,
  killOn: undefined,
  killAfter: undefined,
  variables: {},
} as const

export function drawCancellation({ timeout }: Pick<StepPlan, 'timeout'>, random: SeededRandom) {
  return random.chance(0.2) ? random.sizeBetween(10, Math.max(1_000, timeout)) : undefined
}

const enoughSpace = { full: undefined, outputsTaken: Infinity } as const

/** Returns the plan with the disruption of the scenario. */
export function disrupt(plan: StepPlan, disruption: Disruption, random: SeededRandom): StepPlan {
  switch (disruption) {
    case 'none':
      return plan
    case 'outage':
      // There are no other faults, so that only the outage can cause a lost result.
      return { ...plan, faultRates: noFaults }
    case 'disk-full':
      return random.chance(0.5)
        ? { ...plan, full: 'outputs', outputsTaken: random.whole(0, 4) }
        : { ...plan, full: random.pick(['summary', 'temp']) }
  }
}

/** Returns the plan of a `wait` step without faults. */
export function undisturbedWait(): StepPlan {
  const failOn = ['error', 'container-error', 'stopped', 'timed-out']
  const inputs = { timeout: '1h', 'fail-on': failOn.join() }
  const timeout = 3_600_000
  const once = {
    cancelAfter: undefined,
    ifExists: 'fail',
    isChecked: false,
    onRerun: 'start',
    ...enoughSpace,
    ...noRetries,
  } as const
  return { action: 'wait', inputs, timeout, failOn, faultRates: noFaults, ...once, ...planDefaults }
}

function waitingInputs(random: SeededRandom, timeout: string, failOn: readonly string[]) {
  return {
    timeout,
    'fail-on': failOn.join(', ') || 'none',
    'poll-interval': random.pick(['100ms', '1s', '5s', '5s', '30s', '10m']),
    'print-log': random.pick(['on-failure', 'always', 'never']),
  }
}

function drawFailOn(random: SeededRandom): string[] {
  const all = ['error', 'container-error', 'stopped', 'timed-out']
  return random.chance(0.5) ? all : all.filter(() => random.chance(0.5))
}
