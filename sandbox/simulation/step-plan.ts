/** The plan of one step: its inputs and its faults. */
import type { SeededRandom } from './seeded-random.ts'

export type ActionName = 'run' | 'start' | 'wait' | 'batch' | 'create-project'

/** A fault of a whole scenario. There is at most one, so that a violation has one cause. */
export type Disruption = 'outage' | 'disk-full' | 'none'

/** Changes if it is parsed and serialized again. */
export const seed = '{"big":1e400,"exact":1.0}'

/** The commit that gets the statuses. */
const commit = '0123456789abcdef0123456789abcdef01234567'

/** The part of the plan that only a batch has. */
export interface BatchPart {
  /** The text and the label of each seed. */
  seeds: readonly { text: string; label: string }[]
  maxParallel: number
  failFast: boolean
}

/** How often something goes wrong, from 0 (never) to 1. */
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
  /** Milliseconds. 0 makes one check. */
  timeout: number
  failOn: readonly string[]
  /** Whether results are checked by a schema. No result matches it. */
  isChecked: boolean
  /** How many executions may follow the first one. */
  retries: number
  retryOn: readonly string[]
  ifExists: 'fail' | 'skip'
  onRerun: 'resume' | 'reuse' | 'start'
  /** Environment variables of the runner. */
  place: Record<string, string>
  /** Milliseconds until the runner cancels the step. Undefined if never. */
  cancelAfter: number | undefined
  /** Milliseconds until the process is killed. Undefined if never. */
  killAfter: number | undefined
  faultRates: FaultRates
  /** The place in which the disk is full. */
  full: 'outputs' | 'summary' | 'temp' | undefined
  /** How many outputs can be written. Infinity if all can. */
  outputsTaken: number
  batch?: BatchPart
  /** The files of which a copy is requested. */
  copies: readonly ('result' | 'log')[]
  /** How many equal steps run at the same time (`background: true`). */
  atOnce: number
}

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
  const [timeoutInput, timeout] = random.pick([...timeouts])
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
    copies: drawCopies(random.fork('copies')),
    cancelAfter: drawCancellation({ timeout }, random),
    faultRates: drawRates(random),
    ...enoughSpace,
    ...untilItEnds,
  }
}

/** Actions without the inputs for copies ignore this. */
function drawCopies(random: SeededRandom): StepPlan['copies'] {
  return random.pick([['result'], ['result'], ['result', 'log'], ['log'], []])
}

/** Only root and `batch` have these inputs. */
function drawRetrying(action: ActionName, isChecked: boolean, random: SeededRandom) {
  if (action !== 'run' && action !== 'batch') return noRetries
  const retryOn = random.pick([['container-error'], ['error'], ['error', 'container-error']])
  const retries = random.pick([0, 1, 2, 10])
  const isInvalidRetried = isChecked && random.chance(0.5)
  return { retries, retryOn: isInvalidRetried ? [...retryOn, 'invalid-result'] : retryOn }
}

const noRetries: Pick<StepPlan, 'retries' | 'retryOn'> = { retries: 0, retryOn: [] }

const untilItEnds = { killAfter: undefined, place: {}, atOnce: 1 } as const

export function drawCancellation({ timeout }: Pick<StepPlan, 'timeout'>, random: SeededRandom) {
  return random.chance(0.2) ? random.sizeBetween(10, Math.max(1_000, timeout)) : undefined
}

const enoughSpace = { full: undefined, outputsTaken: Infinity } as const

/** Returns the plan with the fault of the scenario. */
export function disrupt(plan: StepPlan, disruption: Disruption, random: SeededRandom): StepPlan {
  switch (disruption) {
    case 'none':
      return plan
    case 'outage':
      // No other faults, so that only the outage can lose a result.
      return { ...plan, faultRates: noFaults }
    case 'disk-full':
      return random.chance(0.5)
        ? { ...plan, full: 'outputs', outputsTaken: random.whole(0, 4) }
        : { ...plan, full: random.pick(['summary', 'temp']) }
  }
}

/** Returns the plan of a step that fetches a finished run without any fault. */
export function undisturbedWait(): StepPlan {
  const failOn = ['error', 'container-error', 'stopped', 'timed-out']
  const inputs = { timeout: '1h', 'fail-on': failOn.join() }
  const timeout = 3_600_000
  const once = {
    cancelAfter: undefined,
    ifExists: 'fail',
    copies: ['result', 'log'],
    isChecked: false,
    onRerun: 'start',
    ...enoughSpace,
    ...noRetries,
  } as const
  return { action: 'wait', inputs, timeout, failOn, faultRates: noFaults, ...once, ...untilItEnds }
}

function waitingInputs(random: SeededRandom, timeout: string, failOn: readonly string[]) {
  return {
    timeout,
    'fail-on': failOn.join(', '),
    'poll-interval': random.pick(['100ms', '1s', '5s', '5s', '30s', '10m']),
    'print-log': random.pick(['on-failure', 'always', 'never']),
  }
}

function drawFailOn(random: SeededRandom): string[] {
  const all = ['error', 'container-error', 'stopped', 'timed-out']
  return random.chance(0.5) ? all : all.filter(() => random.chance(0.5))
}
