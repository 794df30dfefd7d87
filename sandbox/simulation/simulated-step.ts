/** Runs one action in simulated time. */
import type { EventEmitter } from 'node:events'
import type { Connect } from '../../src/actions/connections.ts'
import { ActionError, CutShort } from '../../src/messages/notice.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { listenForCancellation } from '../../src/runner/cancellation.ts'
import { failedBy, failWithoutOutputs, type Step, type Verdict } from '../../src/runner/step.ts'
import { addSecretsOf } from '../../src/runner/inputs/secret-inputs.ts'
import type { Environment } from '../../src/runner/environment.ts'
import { Heartbeat } from '../../src/runner/heartbeat.ts'
import { createLog, type Console } from '../../src/runner/log.ts'
import { Outputs, type OutputName } from '../../src/runner/outputs.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import { SimulatedSignals } from './simulated-signals.ts'
import { runToEnd, type Ending, type PendingWork } from './simulated-time.ts'
import type { ActionName } from './step-plan.ts'
import { StepRecord } from './step-record.ts'

export interface SimulatedStep extends Step<OutputName> {
  /** The console to which the step's log prints. Direct output to this console is not redacted. */
  console: Console
  /** Emits the signals that the process gets. */
  signals: EventEmitter
}

export type Action = (step: SimulatedStep, connect: Connect) => Promise<Verdict>
export type Actions = Record<ActionName, Action>

export interface StepSetup {
  action: Action
  connect: Connect
  /** Makes all later requests of the step fail. */
  disconnect: () => void
  environment: Environment
  clock: SimulatedClock
  random: SeededRandom
  pending: PendingWork
  /** The time after which the step counts as hung, in milliseconds. */
  timeLimit: number
  cancelAfter: number | undefined
  /** The runner cancels the step soon after this signal aborts. */
  cancelOn?: AbortSignal | undefined
  killAfter: number | undefined
  /** The process is killed soon after this signal aborts. */
  killOn?: AbortSignal | undefined
  /** How many outputs the step can write before the disk is full. */
  outputsTaken: number
}

export interface StepRun {
  recorded: StepRecord
  passed: boolean
  /** Times of the simulated clock. */
  startedAt: number
  endedAt: number
  cancelledAt: number | undefined
  /** The time of the second signal. */
  signalledAgainAt: number | undefined
  killed: boolean
  /** Why the step did not end. Undefined if the step ended. */
  hung: string | undefined
  /** The unexpected error that the action has thrown. Undefined if there is no such error. */
  bug: unknown
}

// How long a killed action may clean up, in milliseconds. The action needs only a few seconds.
const maxCleanUpTime = 30_000

export async function runStep(setup: StepSetup): Promise<StepRun> {
  const { clock, pending, action, connect, timeLimit, cancelAfter, killAfter = Infinity } = setup
  const recorded = new StepRecord(() => clock.now())
  const signals = new SimulatedSignals(clock, setup.random.fork('signals'))
  const { promise: overdue, reject: cutShort } = Promise.withResolvers<never>()
  const finished = new AbortController()
  // This call must agree with the call in performStep.
  const cancelled = listenForCancellation(signals.source, {
    onOverdue: () => cutShort(new CutShort(true, [...step.outputs.executionIds])),
    clock,
    finished: finished.signal,
  })
  const step = makeStep(setup, recorded, cancelled, finished.signal, signals.source)
  const cancel = (span: number) => {
    signals.sendAfter(span, finished.signal).catch(() => undefined)
  }
  if (cancelAfter !== undefined) cancel(cancelAfter)
  const soon = setup.random.fork('soon').pick([0, setup.random.fork('span').between(0, 400)])
  setup.cancelOn?.addEventListener('abort', () => cancel(soon))
  const death = new Error('killed')
  const die = () => clock.sleep(soon, finished.signal).then(() => cutShort(death))
  setup.killOn?.addEventListener('abort', () => void die().catch(() => undefined))
  const startedAt = clock.now()
  const limit = startedAt + Math.min(timeLimit, killAfter)
  let endedAt: number | undefined
  const acting = action(step, connect)
  const work = Promise.race([acting, overdue]).finally(() => {
    endedAt = clock.now()
    finished.abort()
  })
  const ending = await runToEnd(work, clock, limit, pending)
  const isStopped = ending.kind === 'hung' && ending.late && killAfter < timeLimit
  const killed = isStopped || (ending.kind === 'threw' && ending.error === death)
  const diedAt = endedAt ?? limit
  const hung = ending.kind === 'hung' && !killed ? ending.why : undefined
  const [cancelledAt, signalledAgainAt] = signals.sentAt
  if (killed) {
    await clock.advance(diedAt - clock.now())
    recorded.close()
    setup.disconnect()
    signals.send()
    // The action closes its resources. Its output is ignored.
    await runToEnd(acting, clock, diedAt + maxCleanUpTime, pending)
    clock.forgetSleepers()
  }
  const thrown = ending.kind === 'threw' ? ending.error : undefined
  return {
    recorded,
    passed: !killed && conclude(ending, step),
    startedAt,
    endedAt: killed ? diedAt : (endedAt ?? clock.now()),
    cancelledAt,
    signalledAgainAt,
    killed,
    hung,
    bug: thrown instanceof ActionError || thrown === death ? undefined : thrown,
  }
}

/** Reports the end as performStep does. Returns true if the step passed. */
function conclude(ending: Ending<Verdict>, step: SimulatedStep): boolean {
  const verdict =
    ending.kind === 'returned'
      ? failWithoutOutputs(ending.value, step.outputs.problem)
      : failedBy(ending.kind === 'threw' ? ending.error : new Error(ending.why), step.log)
  if (verdict.kind === 'failed') step.log.failure(verdict.notice, undefined)
  return verdict.kind === 'passed'
}

function makeStep(
  { clock, random, environment, outputsTaken }: StepSetup,
  recorded: StepRecord,
  cancelled: AbortSignal,
  finished: AbortSignal,
  signals: EventEmitter,
): SimulatedStep {
  const secrets = new Secrets(() => undefined)
  addSecretsOf(environment, secrets)
  const log = createLog(recorded.console, secrets, true)
  const write = (name: string, value: string) => recorded.takeOutput(name, value, outputsTaken)
  return {
    console: recorded.console,
    signals,
    clock,
    random: () => random.number(),
    environment,
    secrets,
    log,
    heartbeat: new Heartbeat(log, clock, finished),
    outputs: new Outputs(secrets, write, () => undefined),
    cancelled,
    bundles: '',
  }
}
