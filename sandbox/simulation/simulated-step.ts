/** Runs one action in simulated time. */
import type { EventEmitter } from 'node:events'
import type { Connect } from '../../src/actions/connect.ts'
import { ActionError } from '../../src/messages/annotation.ts'
import { CutShort } from '../../src/messages/cut-short.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { listenForCancellation } from '../../src/runner/cancellation.ts'
import { failedBy, failWithoutOutputs, type Step, type Verdict } from '../../src/runner/step.ts'
import { openInputs, type InputDeclaration } from '../../src/runner/inputs/declaration.ts'
import type { Environment } from '../../src/runner/environment.ts'
import { createLog, type Console } from '../../src/runner/log.ts'
import { Outputs } from '../../src/runner/outputs.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import { SimulatedSignals } from './simulated-signals.ts'
import { runToEnd, type Ending, type PendingWork } from './simulated-time.ts'
import type { ActionName } from './step-plan.ts'
import { StepRecord } from './step-record.ts'

export interface SimulatedStep extends Step {
  /** The console below the step's log. It hides no secrets. */
  console: Console
  /** Emits the signals that the process gets. */
  signals: EventEmitter
}

export type Action = (step: SimulatedStep, connect: Connect) => Promise<Verdict>
export type Actions = Record<ActionName, Action>

export interface StepSetup {
  action: Action
  /** The declared inputs. Their secrets are hidden before the action begins. */
  inputs: InputDeclaration
  connect: Connect
  /** Cuts the connections to service, store and cache. */
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
  /** The moment of the second signal. */
  signalledAgainAt: number | undefined
  /** Whether the process was killed. */
  killed: boolean
  /** Why the step did not end. Undefined if it ended. */
  hung: string | undefined
  /** An unexpected error that the action has thrown. */
  bug: unknown
}

// Milliseconds. A cancelled action ends within a few seconds.
const unwinding = 30_000

export async function runStep(setup: StepSetup): Promise<StepRun> {
  const { clock, pending, action, connect, timeLimit, cancelAfter, killAfter = Infinity } = setup
  const recorded = new StepRecord(() => clock.now())
  const signals = new SimulatedSignals(clock, setup.random.fork('signals'))
  const { promise: overdue, reject: cutShort } = Promise.withResolvers<never>()
  const finished = new AbortController()
  // As performStep calls it.
  const cancelled = listenForCancellation(
    signals.source,
    () => cutShort(new CutShort(true, [...step.outputs.executionIds])),
    { clock, finished: finished.signal },
  )
  const step = makeStep(setup, recorded, cancelled, signals.source)
  if (cancelAfter !== undefined) {
    signals.sendAfter(cancelAfter, finished.signal).catch(() => undefined)
  }
  const startedAt = clock.now()
  const limit = startedAt + Math.min(timeLimit, killAfter)
  let endedAt: number | undefined
  const work = Promise.race([action(step, connect), overdue]).finally(() => {
    endedAt = clock.now()
    finished.abort()
  })
  const ending = await runToEnd(work, clock, limit, pending)
  const killed = ending.kind === 'hung' && ending.late && killAfter < timeLimit
  const hung = ending.kind === 'hung' && !killed ? ending.why : undefined
  const [cancelledAt, signalledAgainAt] = signals.sentAt
  if (killed) {
    await clock.advance(limit - clock.now())
    recorded.close()
    setup.disconnect()
    signals.send()
    // The action closes what it has open. Its output is ignored.
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
    signalledAgainAt,
    killed,
    hung,
    bug: thrown instanceof ActionError ? undefined : thrown,
  }
}

/** Reports the end as performStep does. Returns whether the step passed. */
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
  signals: EventEmitter,
): SimulatedStep {
  const secrets = new Secrets(() => undefined)
  for (const value of openInputs(inputs, environment, '').secrets.values) secrets.add(value)
  return {
    console: recorded.console,
    signals,
    clock,
    random: () => random.number(),
    environment,
    secrets,
    log: createLog(recorded.console, secrets, true),
    outputs: new Outputs(secrets, (name, value) => recorded.takeOutput(name, value, outputsTaken)),
    cancelled,
    bundleFolder: '',
  }
}
