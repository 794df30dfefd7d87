/** One step in simulated time, from its beginning to its one annotation. */
import type { Connect } from '../../src/actions/connect.ts'
import { ActionError } from '../../src/errors.ts'
import { Cancelled } from '../../src/runner/cancellation.ts'
import { openInputs, type InputDeclaration } from '../../src/runner/inputs/declaration.ts'
import type { Environment } from '../../src/runner/inputs/environment.ts'
import { createLog, type Log } from '../../src/runner/log.ts'
import { Outputs } from '../../src/runner/outputs.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { failedBy, type Step, type Verdict } from '../../src/runner/step.ts'
import { reportAt } from '../../src/version.ts'
import type { Dice } from './dice.ts'
import { live, type Busy } from './lifetime.ts'
import { Recording } from './recording.ts'
import type { SimulatedClock } from './simulated-clock.ts'

/** What an entry of `src/actions` is: a step's story. */
export type Story = (step: Step, connect: Connect) => Promise<Verdict>

export interface Stage {
  story: Story
  /** What the story's step declares: its secrets are hidden before it begins. */
  inputs: InputDeclaration
  connect: Connect
  environment: Environment
  clock: SimulatedClock
  dice: Dice
  busy: Busy
  /** Milliseconds after which the step must have ended, whatever happens. */
  patience: number
  cancelAfter: number | undefined
  /** How many outputs can be written before the disk is full. */
  outputsTaken: number
}

export interface Performance {
  recording: Recording
  passed: boolean
  /** Moments. */
  startedAt: number
  endedAt: number
  cancelledAt: number | undefined
  /** Why it did not end, where it did not. */
  hung: string | undefined
  /** An error that nobody expected. */
  bug: unknown
  /** Timers that nobody released. */
  timersLeft: number
}

export async function perform(stage: Stage): Promise<Performance> {
  const { clock, busy, story, connect } = stage
  const recording = new Recording()
  const { step, cancelledAt } = prepare(stage, recording)
  const startedAt = clock.now()
  const life = await live(story(step, connect), clock, startedAt + stage.patience, busy)
  const verdict =
    life.kind === 'returned'
      ? life.value
      : failedBy(life.kind === 'threw' ? life.error : new Error(life.why), step, reportAt)
  // As the real entry does: whatever failed, it is told once.
  if (verdict.kind === 'failed') step.log.failure(verdict.annotation)
  return {
    recording,
    passed: verdict.kind === 'passed',
    startedAt,
    endedAt: clock.now(),
    cancelledAt: cancelledAt(),
    hung: life.kind === 'hung' ? life.why : undefined,
    bug: life.kind === 'threw' && !(life.error instanceof ActionError) ? life.error : undefined,
    timersLeft: life.kind === 'hung' ? 0 : clock.sleeping,
  }
}

function prepare(stage: Stage, recording: Recording) {
  const { clock, dice, inputs, environment, cancelAfter, outputsTaken } = stage
  const secrets = new Secrets(() => undefined)
  for (const value of openInputs(inputs, environment).secrets.values) secrets.add(value)
  const log: Log = createLog(recording.console, secrets)
  const cancellation = new AbortController()
  let cancelledAt: number | undefined
  if (cancelAfter !== undefined) {
    clock.after(cancelAfter, () => {
      cancelledAt = clock.now()
      cancellation.abort(new Cancelled('the runner sent SIGTERM'))
    })
  }
  const step: Step = {
    clock,
    random: () => dice.number(),
    environment,
    secrets,
    log,
    outputs: new Outputs(secrets, (name, value) => recording.takeOutput(name, value, outputsTaken)),
    cancelled: cancellation.signal,
    bundleFolder: '',
  }
  return { step, cancelledAt: () => cancelledAt }
}
