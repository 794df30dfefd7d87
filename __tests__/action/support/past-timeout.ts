import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RunningStep, StepResult } from '../../../sandbox/runner/runner.ts'
import { startAction, type Scenario } from './run-action.ts'
import { within } from './until.ts'

const preload = `--import=${new URL('./clock-ahead.mjs', import.meta.url).href}`
const hour = 3_600_000

/** For steps whose bounds of seconds must not run out only because the machine is busy. */
export const patiently = { NODE_OPTIONS: preload, CLOCK_PATIENCE: '30' }

/** A step whose clock the test puts forward. */
interface StepAhead {
  running: RunningStep
  /** By so many milliseconds, counted from its start. */
  putForward(span: number): Promise<void>
}

/** Runs a step with such a clock; what `meddle` does has to lead to its end. */
export function runAhead(
  scenario: Scenario,
  meddle: (step: StepAhead) => Promise<unknown>,
): Promise<StepResult> {
  const start = (env: Record<string, string>) =>
    startAction({ ...scenario, env: { ...scenario.env, ...env } })
  return withClockAhead(start, meddle)
}

/** The same for a step that `start` starts, with these variables. */
export async function withClockAhead(
  start: (env: Record<string, string>) => RunningStep | Promise<RunningStep>,
  meddle: (step: StepAhead) => Promise<unknown>,
): Promise<StepResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'clock-'))
  const file = path.join(folder, 'ahead')
  await writeFile(file, '0')
  const running = await start({ NODE_OPTIONS: preload, CLOCK_AHEAD_FILE: file })
  try {
    await meddle({ running, putForward: (span) => writeFile(file, String(span)) })
    return await within(running.result)
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs a step that has an hour, or the `timeout` of its inputs, and lets that hour pass at once when
 * `reached` resolves: what the scenario needs has happened by then, however busy the machine is.
 * `span`: another time than the hour; `afterwards`: what happens then.
 */
export function runPastTimeout(
  scenario: Scenario,
  reached: (step: RunningStep) => Promise<unknown>,
  span = hour,
  afterwards: () => Promise<unknown> = () => Promise.resolve(),
): Promise<StepResult> {
  const timeout = scenario.action === 'start' ? {} : { timeout: '1h' }
  const inputs = { ...timeout, ...scenario.inputs }
  return runAhead({ ...scenario, inputs }, async ({ running, putForward }) => {
    await reached(running)
    await putForward(span)
    await afterwards()
  })
}
