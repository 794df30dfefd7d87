/** What one step is asked to do, and what goes wrong meanwhile. */
import type { SeededRandom } from './seeded-random.ts'

export type ActionName = 'run' | 'start' | 'wait' | 'batch' | 'create-project'

/** Trouble during a whole scenario; at most one of these, so that a violation has one cause. */
export type Disruption = 'outage' | 'disk-full' | 'none'

/** Changes its meaning or its digits when it is parsed and written anew. */
export const seed = '{"big":1e400,"exact":1.0}'

/** The commit that statuses are set on. */
const commit = '0123456789abcdef0123456789abcdef01234567'

/** What only a batch is given. */
export interface BatchPart {
  /** The text and the label of each. */
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
  /** Milliseconds; 0 looks once. */
  timeout: number
  failOn: readonly string[]
  /** Results are checked by a schema that none of them matches. */
  isChecked: boolean
  /** How many executions may follow the first one, and after which ends. */
  retries: number
  retryOn: readonly string[]
  ifExists: 'fail' | 'skip'
  onRerun: 'resume' | 'reuse' | 'start'
  /** Variables of the runner. */
  place: Record<string, string>
  /** After so many milliseconds the runner ends the step; `undefined`: never. */
  cancelAfter: number | undefined
  /** After so many milliseconds its process is gone, without warning. */
  killAfter: number | undefined
  faultRates: FaultRates
  /** Where the disk is full. */
  full: 'outputs' | 'summary' | 'temp' | undefined
  /** How many outputs can be written; `Infinity`: all. */
  outputsTaken: number
  batch?: BatchPart
  /** Of what a copy in the workspace is asked for. */
  copies: readonly ('result' | 'log')[]
  /** How many such steps run at the same time (`background: true`). */
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

/** An action without such inputs is not given them. */
function drawCopies(random: SeededRandom): StepPlan['copies'] {
  return random.pick([['result'], ['result'], ['result', 'log'], ['log'], []])
}

/** Only what follows its executions has these inputs. */
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

/** The same step with the scenario's trouble. */
export function disrupt(plan: StepPlan, disruption: Disruption, random: SeededRandom): StepPlan {
  switch (disruption) {
    case 'none':
      return plan
    case 'outage':
      // Nothing else goes wrong, so that a lost result is lost to the outage.
      return { ...plan, faultRates: noFaults }
    case 'disk-full':
      return random.chance(0.5)
        ? { ...plan, full: 'outputs', outputsTaken: random.whole(0, 4) }
        : { ...plan, full: random.pick(['summary', 'temp']) }
  }
}

/** A step that fetches a finished run, without any fault. */
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
