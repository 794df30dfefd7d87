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

/**
 * Runs a step that has an hour, or the `timeout` of its inputs, and lets that hour pass at once when
 * `reached` resolves: what the scenario needs has happened by then, however busy the machine is.
 * `span`: another time than the hour; `afterwards`: what happens then.
 */
export async function runPastTimeout(
  scenario: Scenario,
  reached: (step: RunningStep) => Promise<unknown>,
  span = hour,
  afterwards: () => Promise<unknown> = () => Promise.resolve(),
): Promise<StepResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'clock-'))
  const file = path.join(folder, 'ahead')
  await writeFile(file, '0')
  const running = startAction({
    ...scenario,
    inputs: { ...(scenario.action !== 'start' && { timeout: '1h' }), ...scenario.inputs },
    env: { ...scenario.env, NODE_OPTIONS: preload, CLOCK_AHEAD_FILE: file },
  })
  try {
    await reached(running)
    await writeFile(file, String(span))
    await afterwards()
    return await within(running.result)
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
