/** Runs one action in simulated time. */
import type { Connect } from '../../src/actions/connect.ts'
import { ActionError } from '../../src/messages/annotation.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { failedBy, failWithoutOutputs, type Step, type Verdict } from '../../src/runner/step.ts'
import { openInputs, type InputDeclaration } from '../../src/runner/inputs/declaration.ts'
import type { Environment } from '../../src/runner/inputs/environment.ts'
import { createLog, type Console } from '../../src/runner/log.ts'
import { Outputs } from '../../src/runner/outputs.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import { runToEnd, type Ending, type PendingWork } from './simulated-time.ts'
import type { ActionName } from './step-plan.ts'
import { StepRecord } from './step-record.ts'

export interface SimulatedStep extends Step {
  /** What the step's log prints to, unprotected. */
  console: Console
}

export type Action = (step: SimulatedStep, connect: Connect) => Promise<Verdict>
export type Actions = Record<ActionName, Action>

export interface StepSetup {
  action: Action
  /** What the action declares: its secrets are hidden before it begins. */
  inputs: InputDeclaration
  connect: Connect
  /** From then on nothing gets through to the service, the store or the cache. */
  disconnect: () => void
  environment: Environment
  clock: SimulatedClock
  random: SeededRandom
  pending: PendingWork
  /** Milliseconds after which the step counts as hung. */
  timeLimit: number
  cancelAfter: number | undefined
  killAfter: number | undefined
  /** How many outputs can be written before the disk is full. */
  outputsTaken: number
}

export interface StepRun {
  recorded: StepRecord
  passed: boolean
  /** Moments of the simulated clock. */
  startedAt: number
  endedAt: number
  cancelledAt: number | undefined
  /** Its process was gone before it ended. */
  killed: boolean
  /** Why it did not end, where it did not. */
  hung: string | undefined
  /** What was thrown, where it is none of the errors made for people. */
  bug: unknown
}

// Milliseconds. What is cancelled ends within a few seconds.
const unwinding = 30_000

export async function runStep(setup: StepSetup): Promise<StepRun> {
  const { clock, pending, action, connect, timeLimit, killAfter = Infinity } = setup
  const recorded = new StepRecord(() => clock.now())
  const cancellation = scheduleCancellation(setup)
  const step = makeStep(setup, recorded, cancellation.signal)
  const startedAt = clock.now()
  const limit = startedAt + Math.min(timeLimit, killAfter)
  let endedAt: number | undefined
  const work = action(step, connect).finally(() => {
    endedAt = clock.now()
    cancellation.release()
  })
  const ending = await runToEnd(work, clock, limit, pending)
  const killed = ending.kind === 'hung' && ending.late && killAfter < timeLimit
  const hung = ending.kind === 'hung' && !killed ? ending.why : undefined
  const cancelledAt = cancellation.at()
  if (killed) {
    await clock.advance(limit - clock.now())
    recorded.close()
    setup.disconnect()
    cancellation.cancel()
    // Nobody hears of it, but what it had open is closed.
    await runToEnd(work, clock, limit + unwinding, pending)
    clock.forgetSleepers()
  }
  const thrown = ending.kind === 'threw' ? ending.error : undefined
  return {
    recorded,
    passed: !killed && conclude(ending, step),
    startedAt,
    endedAt: killed ? limit : (endedAt ?? clock.now()),
    cancelledAt,
    killed,
    hung,
    bug: thrown instanceof ActionError ? undefined : thrown,
  }
}

/** As performStep does: a step without its outputs fails, and a failure is reported once. */
function conclude(ending: Ending<Verdict>, step: SimulatedStep): boolean {
  const verdict =
    ending.kind === 'returned'
      ? failWithoutOutputs(ending.value, step.outputs.problem)
      : failedBy(ending.kind === 'threw' ? ending.error : new Error(ending.why), step)
  if (verdict.kind === 'failed') step.log.failure(verdict.annotation)
  return verdict.kind === 'passed'
}

function makeStep(
  { clock, random, inputs, environment, outputsTaken }: StepSetup,
  recorded: StepRecord,
  cancelled: AbortSignal,
): SimulatedStep {
  const secrets = new Secrets(() => undefined)
  for (const value of openInputs(inputs, environment).secrets.values) secrets.add(value)
  return {
    console: recorded.console,
    clock,
    random: () => random.number(),
    environment,
    secrets,
    log: createLog(recorded.console, secrets),
    outputs: new Outputs(secrets, (name, value) => recorded.takeOutput(name, value, outputsTaken)),
    cancelled,
    bundleFolder: '',
  }
}

function scheduleCancellation({ clock, cancelAfter }: StepSetup) {
  const [cancellation, ended] = [new AbortController(), new AbortController()]
  let at: number | undefined
  const cancel = () => {
    at = clock.now()
    cancellation.abort(new Error('the runner sent SIGTERM'))
  }
  if (cancelAfter !== undefined) {
    clock.sleep(cancelAfter, ended.signal).then(cancel, () => undefined)
  }
  return { signal: cancellation.signal, cancel, at: () => at, release: () => ended.abort() }
}
