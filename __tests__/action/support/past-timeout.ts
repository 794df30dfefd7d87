import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RunningStep, StepResult } from '../../../sandbox/runner/runner.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { startAction, type Scenario } from './run-action.ts'
import { within } from './until.ts'

const preload = `--import=${new URL('./clock-ahead.mjs', import.meta.url).href}`
const hour = 3_600_000

/** Makes long waits of a step longer, so that no time limit passes because the machine is busy. */
export const patiently = { NODE_OPTIONS: preload, CLOCK_PATIENCE: '30' }

/** A step whose clock the test puts forward. */
interface ClockedStep {
  running: RunningStep
  /**
   * Sets how many milliseconds the step's clock is ahead of the real clock, or of its time when the
   * step received SIGINT. Then this clock stands still.
   */
  putForward(span: number): Promise<void>
}

/** Runs a step with a clock that `meddle` can put forward. `meddle` must lead to the step's end. */
export function runWithClock(
  scenario: Scenario,
  meddle: (step: ClockedStep) => Promise<unknown>,
): Promise<StepResult> {
  const start = (env: Record<string, string>) =>
    startAction({ ...scenario, env: { ...scenario.env, ...env } })
  return startWithClock(start, meddle)
}

/** Like runWithClock, for a step that `start` starts with the given environment variables. */
export async function startWithClock(
  start: (env: Record<string, string>) => RunningStep | Promise<RunningStep>,
  meddle: (step: ClockedStep) => Promise<unknown>,
): Promise<StepResult> {
  await using folder = await makeTemporaryFolder({ ahead: '0' })
  const file = path.join(folder.path, 'ahead')
  const running = await start({ NODE_OPTIONS: preload, CLOCK_AHEAD_FILE: file })
  try {
    const putForward = async (span: number) => {
      await writeFile(file, String(span))
      await within(running.waitForLine(new RegExp(`the clock is ${String(span)} ms ahead`)))
    }
    await meddle({ running, putForward })
    return await within(running.result)
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Runs a step with a timeout of one hour, unless its inputs name another one. Puts the clock `span`
 * milliseconds forward when `reached` resolves, and then calls `afterwards`.
 */
export function runPastTimeout(
  scenario: Scenario,
  reached: (step: RunningStep) => Promise<unknown>,
  span = hour,
  afterwards: () => Promise<unknown> = () => Promise.resolve(),
): Promise<StepResult> {
  const timeout = scenario.action === 'start' ? {} : { timeout: '1h' }
  const inputs = { ...timeout, ...scenario.inputs }
  return runWithClock({ ...scenario, inputs }, async ({ running, putForward }) => {
    await reached(running)
    await putForward(span)
    await afterwards()
  })
}
