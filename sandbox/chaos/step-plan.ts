/** What one step is asked to do, and what comes in between. */
import type { Dice } from './dice.ts'
import type { Disruption } from './extra-faults.ts'
import { seed } from './request-check.ts'
import { drawSecret, type Secret } from './secrets.ts'

export type ActionName = 'run' | 'start' | 'wait' | 'create-project'

/** How often something goes wrong, from 0 (never) to 1. */
export interface Weather {
  service: number
  store: number
}

export const calm: Weather = { service: 0, store: 0 }

export interface StepPlan {
  action: ActionName
  inputs: Record<string, string>
  /** Milliseconds; 0 looks once. */
  timeout: number
  failOn: readonly string[]
  ifExists: 'fail' | 'skip'
  /** After so many milliseconds the runner ends the step; `undefined`: never. */
  cancelAfter: number | undefined
  weather: Weather
  /** A place where nothing can be written. */
  full: 'summary' | 'temp' | undefined
  /** How many outputs the runner's file takes; `Infinity`: all. */
  outputsTaken: number
}

export interface Caller {
  apiToken: Secret
  apiKey: Secret
  header: Secret
  password: Secret
}

export function drawCaller(dice: Dice): Caller {
  return {
    apiToken: drawSecret(dice, 'tk_"'),
    apiKey: drawSecret(dice, 'k\\~', '/+=&'),
    header: drawSecret(dice, 'hook é '),
    password: drawSecret(dice, ''),
  }
}

export function secretsOf({ apiToken, apiKey, header, password }: Caller): Secret[] {
  return [apiToken, apiKey, header, password]
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

export function drawStepPlan(action: ActionName, dice: Dice): StepPlan {
  const [timeoutInput, timeout] = dice.pick([...timeouts])
  const failOn = drawFailOn(dice)
  const ifExists = dice.pick(['fail', 'skip'])
  return {
    action,
    inputs: {
      ...(action === 'create-project'
        ? { 'if-exists': ifExists }
        : waitingInputs(dice, timeoutInput, failOn)),
      ...(action === 'run' || action === 'start' ? { seed } : {}),
    },
    timeout,
    failOn,
    ifExists,
    cancelAfter: dice.chance(0.2) ? dice.sizeBetween(10, Math.max(1_000, timeout)) : undefined,
    weather: { service: drawRate(dice), store: drawRate(dice) },
    ...roomy,
  }
}

const roomy = { full: undefined, outputsTaken: Infinity } as const

/** The same step in a world with one further trouble. */
export function disrupt(plan: StepPlan, disruption: Disruption, dice: Dice): StepPlan {
  switch (disruption) {
    case 'none':
      return plan
    case 'outage':
      // Nothing else goes wrong: a result that is lost is lost to the outage.
      return { ...plan, weather: calm }
    case 'disk-full':
      return dice.chance(0.5)
        ? { ...plan, outputsTaken: dice.whole(0, 4) }
        : { ...plan, full: dice.pick(['summary', 'temp']) }
  }
}

/** A step that only has to fetch what is there, in peace. */
export function calmWait(): StepPlan {
  const failOn = ['error', 'container-error', 'stopped', 'timed-out']
  const inputs = { timeout: '1h', 'fail-on': failOn.join() }
  const timeout = 3_600_000
  const once = { cancelAfter: undefined, ifExists: 'fail', ...roomy } as const
  return { action: 'wait', inputs, timeout, failOn, weather: calm, ...once }
}

function waitingInputs(dice: Dice, timeout: string, failOn: readonly string[]) {
  return {
    timeout,
    'fail-on': failOn.join(', '),
    'poll-interval': dice.pick(['100ms', '1s', '5s', '5s', '30s', '10m']),
    'print-log': dice.pick(['on-failure', 'always', 'never']),
  }
}

function drawFailOn(dice: Dice): string[] {
  const all = ['error', 'container-error', 'stopped', 'timed-out']
  return dice.chance(0.5) ? all : all.filter(() => dice.chance(0.5))
}

function drawRate(dice: Dice): number {
  return dice.pick([0, 0.1, 0.3, 0.6, 0.9])
}
